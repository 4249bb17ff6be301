/** The prices and health of a model's channels. */
import { Badge, Group, Text, Tooltip } from '@mantine/core';
import { ChannelState } from '#catalogue/channel-state.tsx';
import { ExampleBadge, ListedPrice, useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { cheapestChannels, fastestChannel, SHOWN_PRICES } from '#catalogue/price.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';

export function ChannelPrices({ model }: { readonly model: Model }) {
  const t = useTexts(modelTexts);
  const columns: readonly Column<Channel>[] = [
    {
      name: 'channel',
      heading: t('channel'),
      cell: (channel) => <ChannelName model={model} channel={channel} />,
    },
    ...usePriceColumns(model),
    { name: 'state', heading: t('state'), cell: ({ health }) => <ChannelState health={health} /> },
    {
      name: 'first-byte',
      heading: `${t('firstByte')} p50 / p95`,
      end: true,
      cell: ({ health }) => <FirstByte health={health} />,
    },
    {
      name: 'success',
      heading: t('success'),
      end: true,
      cell: ({ health }) => <Success health={health} />,
    },
  ];
  return (
    <DataTable
      label={t('channel')}
      columns={columns}
      rows={model.channels}
      keyOf={({ channel }) => channel}
      minWidth={model.kind === 'chat' ? 1000 : 820}
    />
  );
}

function usePriceColumns(model: Model): readonly Column<Channel>[] {
  const t = useTexts(modelTexts);
  const perImage = imageColumns(model, t('perImage'));
  const isByToken = model.channels.some(({ price }) => price.per_image === null);
  if (!isByToken) return perImage;
  const tokens = SHOWN_PRICES[model.kind].map(
    (kind): Column<Channel> => ({
      name: kind,
      heading: t(kind),
      unit: t('per1m'),
      end: true,
      cell: ({ price }) =>
        price[kind] === null ? (
          <Unlisted hint={t('asInput')} amount={price.input} />
        ) : (
          <ListedPrice of={price[kind]} />
        ),
    }),
  );
  return [...tokens, ...perImage];
}

/** Returns a column for each size, and for each quality with its own price. */
function imageColumns({ channels }: Model, unit: string): readonly Column<Channel>[] {
  const sizes = [...new Set(channels.flatMap(({ price }) => Object.keys(price.per_image ?? {})))];
  return sizes.map((size) => ({
    name: size,
    heading: size.replace('x', '×').replace('/', ' · '),
    unit,
    end: true,
    cell: ({ price }) => <ListedPrice of={price.per_image?.[size] ?? null} />,
  }));
}

/** The price of another bucket, which applies because this bucket has no price of its own. */
function Unlisted({ hint, amount }: { readonly hint: string; readonly amount: string | null }) {
  return (
    <Tooltip label={hint}>
      <Text span inherit c="dimmed">
        <ListedPrice of={amount} />
      </Text>
    </Tooltip>
  );
}

function ChannelName({ model, channel }: { readonly model: Model; readonly channel: Channel }) {
  const t = useTexts(modelTexts);
  const nameOf = useChannelName();
  const isCheapest = cheapestChannels(model).includes(channel.channel);
  const isFastest = fastestChannel(model) === channel.channel;
  return (
    <Group gap={6}>
      <Text span fw={600} fz="sm">
        {nameOf(channel.channel)}
      </Text>
      <Text span ff="monospace" fz="xs" c="dimmed">
        {channel.channel}
      </Text>
      {channel.default ? <Badge color="gray">{t('default')}</Badge> : null}
      {isCheapest ? <Badge color="teal">{t('cheapest')}</Badge> : null}
      {isFastest ? <Badge color="brand">{t('fastest')}</Badge> : null}
      {channel.example ? <ExampleBadge /> : null}
    </Group>
  );
}

export function FirstByte({ health }: Pick<Channel, 'health'>) {
  const t = useTexts(modelTexts);
  const { duration } = useFormats();
  if (health?.first_byte_ms == null)
    return (
      <Text span c="dimmed">
        –
      </Text>
    );
  const [p50, p95] = [duration(health.first_byte_ms.p50), duration(health.first_byte_ms.p95)];
  return (
    <Tooltip label={t('percentiles', { p50, p95 })}>
      <span style={{ whiteSpace: 'nowrap' }}>
        {p50} / {p95}
      </span>
    </Tooltip>
  );
}

export function Success({ health }: Pick<Channel, 'health'>) {
  const t = useTexts(modelTexts);
  const { percent } = useFormats();
  if (health?.success_rate == null)
    return (
      <Text span c="dimmed">
        –
      </Text>
    );
  return (
    <Tooltip label={t('lastMinutes')}>
      <span>{percent(health.success_rate)}</span>
    </Tooltip>
  );
}
