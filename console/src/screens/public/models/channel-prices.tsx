/**
 * A table with the prices and health of a model's channels. On a phone, each channel is a card with
 * the first price at the top.
 */
import { Text, Tooltip } from '@mantine/core';
import { ChannelState } from '#catalogue/channel-state.tsx';
import { ListedPrice, useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { cheapestChannels, fastestChannel, rateOf, SHOWN_PRICES } from '#catalogue/price.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { FirstByte, Speed, Uptime } from './channel-figures.tsx';

export function ChannelPrices({ model }: { readonly model: Model }) {
  const t = useTexts(modelTexts);
  const columns: readonly Column<Channel>[] = [
    {
      name: 'channel',
      heading: t('channel'),
      cell: (channel) => <ChannelName model={model} channel={channel} />,
    },
    ...usePriceColumns(model),
    {
      name: 'state',
      heading: t('state'),
      cell: ({ health }) => <ChannelState state={health.status} />,
      phone: 'state',
    },
    {
      name: 'first-byte',
      show: 'fits',
      heading: t('firstByte'),
      unit: 'p50 / p95',
      end: true,
      cell: ({ health }) => <FirstByte health={health} />,
    },
    {
      name: 'speed',
      show: 'fits',
      heading: t('speed'),
      end: true,
      cell: ({ health }) => <Speed health={health} />,
    },
    {
      name: 'uptime',
      show: 'fits',
      heading: t('uptime'),
      unit: t('last90Days'),
      end: true,
      cell: ({ health }) => <Uptime ratio={health.uptime_90d} />,
    },
  ];
  return (
    <DataTable
      label={t('channel')}
      columns={columns}
      rows={model.channels}
      keyOf={({ channel }) => channel}
    />
  );
}

/**
 * On a phone, a channel's first price is shown beside the channel's name, and its other prices
 * below the name.
 */
const placeOf = (at: number) => ({ phone: at === 0 ? 'amount' : 'detail' }) as const;

function usePriceColumns(model: Model): readonly Column<Channel>[] {
  const t = useTexts(modelTexts);
  const perImage = imageColumns(model, t('perImage'));
  const isByToken = model.channels.some(({ price }) => price.per_image === null);
  if (!isByToken) return perImage;
  const tokens = SHOWN_PRICES[model.kind].map(
    (kind, at): Column<Channel> => ({
      name: kind,
      heading: t(kind),
      unit: t('per1m'),
      end: true,
      cell: ({ price }) => {
        const rate = rateOf(price, kind);
        return rate === price[kind] ? (
          <ListedPrice of={rate} />
        ) : (
          <Unlisted hint={t('asInput')} amount={rate} />
        );
      },
      ...placeOf(at),
    }),
  );
  return [...tokens, ...perImage];
}

/** Returns a column for each image size or, where quality matters, for each size and quality. */
function imageColumns({ channels }: Model, unit: string): readonly Column<Channel>[] {
  const sizes = [...new Set(channels.flatMap(({ price }) => Object.keys(price.per_image ?? {})))];
  return sizes.map((size, at) => ({
    name: size,
    heading: size.replace('x', '×').replace('/', ' · '),
    unit,
    end: true,
    cell: ({ price }) => <ListedPrice of={price.per_image?.[size] ?? null} />,
    ...placeOf(at),
  }));
}

/**
 * Shows the input price in place of the price of a kind of tokens for which no price is listed,
 * with an explanation.
 */
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
  const { list } = useFormats();
  const nameOf = useChannelName();
  const marks = [
    channel.default ? t('default') : null,
    cheapestChannels(model).includes(channel.channel) ? t('cheapest') : null,
    fastestChannel(model) === channel.channel ? t('fastest') : null,
  ].filter((mark) => mark !== null);
  if (channel.example) marks.push(t(marks.length === 0 ? 'example' : 'exampleMark'));
  return (
    <>
      {nameOf(channel.channel)}
      {marks.length === 0 ? null : (
        <Text component="div" variant="caption">
          {list(marks)}
        </Text>
      )}
    </>
  );
}
