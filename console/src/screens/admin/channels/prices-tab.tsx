/** The tab with the price, cost and margin of each channel. */
import { Badge, Button, Card, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerPrice } from '#catalogue/price.ts';
import { isPriceKey } from '#catalogue/usage-buckets.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { offersQuery } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { type ChannelOffer, leastMargin, type MarginLine, marginLines } from './margin.ts';

export function PricesTab() {
  const t = useTexts(channelTexts);
  const { data, error, refetch } = useQuery(offersQuery);
  const [shown, setShown] = useState<ChannelOffer | null>(null);
  const columns = useColumns(setShown);
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return (
    <Card>
      <DataTable
        label={t('table')}
        columns={columns}
        rows={data?.data}
        keyOf={({ model, channel }) => `${model}/${channel}`}
        minWidth={880}
        expected={12}
      />
      <OfferSheet offer={shown} onClose={() => setShown(null)} />
    </Card>
  );
}

function useColumns(show: (offer: ChannelOffer) => void): readonly Column<ChannelOffer>[] {
  const t = useTexts(channelTexts);
  return [
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model, model_name: name }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Copyable value={model} />
        </Stack>
      ),
    },
    { name: 'channel', heading: t('channel'), cell: (offer) => <Channel offer={offer} /> },
    {
      name: 'price',
      heading: t('price'),
      end: true,
      cell: ({ kind, price }) => <PricePair kind={kind} price={price} />,
    },
    {
      name: 'cost',
      heading: t('cost'),
      end: true,
      cell: ({ kind, cost }) =>
        cost === null ? <NoCost /> : <PricePair kind={kind} price={cost} />,
    },
    {
      name: 'margin',
      heading: t('leastMargin'),
      end: true,
      cell: (offer) => <Percent line={leastMargin(marginLines(offer))} />,
    },
    {
      name: 'details',
      heading: t('details'),
      end: true,
      cell: (offer) => (
        <Button
          size="xs"
          variant="subtle"
          aria-label={`${t('details')}: ${offer.model}, ${offer.channel}`}
          onClick={() => show(offer)}
        >
          {t('details')}
        </Button>
      ),
    },
  ];
}

function Channel({ offer }: { readonly offer: ChannelOffer }) {
  const t = useTexts(channelTexts);
  return (
    <Group gap={6}>
      {offer.channel}
      {offer.default ? <Badge miw="max-content">{t('defaultChannel')}</Badge> : null}
      {offer.example ? (
        <Tooltip label={t('exampleHint')}>
          <Badge color="yellow" miw="max-content" tabIndex={0}>
            {t('example')}
          </Badge>
        </Tooltip>
      ) : null}
    </Group>
  );
}

/** The prices of input and output, or of the first image size. */
function PricePair({ kind, price }: Pick<ChannelOffer, 'kind' | 'price'>) {
  const t = useTexts(channelTexts);
  const amounts =
    price.per_image === null
      ? [price.input, answerPrice(kind, price)]
      : [Object.values(price.per_image)[0] ?? null];
  return (
    <Stack gap={0}>
      <span>
        {amounts.map((amount, index) =>
          amount === null ? null : (
            // The first amount is the input price, the second one the output price.
            <span key={index === 0 ? 'input' : 'output'}>
              {index === 0 ? '' : ' / '}
              <Money amount={amount} currency={price.currency} />
            </span>
          ),
        )}
      </span>
      <Text size="xs" c="dimmed">
        {price.per_image === null ? t('per1M') : t('perImage')}
      </Text>
    </Stack>
  );
}

function NoCost() {
  const t = useTexts(channelTexts);
  return (
    <Tooltip label={t('noCostHint')} multiline maw={280}>
      <Text size="sm" c="dimmed" tabIndex={0} component="span">
        {t('noCost')}
      </Text>
    </Tooltip>
  );
}

const FULL = 10_000;

function Percent({ line }: { readonly line: MarginLine | null }) {
  const { percent } = useFormats();
  if (line?.basisPoints == null) return '–';
  return (
    <Text
      span
      size="sm"
      fw={600}
      c={line.basisPoints < 0 ? 'var(--mantine-color-error)' : 'inherit'}
    >
      {percent(line.basisPoints / FULL)}
    </Text>
  );
}

type OfferSheetProps = { readonly offer: ChannelOffer | null; readonly onClose: () => void };

function OfferSheet({ offer, onClose }: OfferSheetProps) {
  const t = useTexts(channelTexts);
  const columns = useLineColumns(offer?.price.currency ?? 'USD');
  return (
    <Sheet
      opened={offer !== null}
      onClose={onClose}
      title={offer === null ? '' : t('detailsOf', { model: offer.model, channel: offer.channel })}
    >
      {offer === null ? null : (
        <Stack>
          <DataTable
            label={t('details')}
            columns={columns}
            rows={marginLines(offer)}
            keyOf={({ name }) => name}
            minWidth={380}
          />
          <Text size="sm">
            {t('card')}: <Copyable value={offer.price_card} />
          </Text>
          {offer.cost === null ? (
            <Text size="sm" c="dimmed">
              {t('noCostHint')}
            </Text>
          ) : null}
        </Stack>
      )}
    </Sheet>
  );
}

function useLineColumns(currency: string): readonly Column<MarginLine>[] {
  const t = useTexts(channelTexts);
  const amount = (value: string | null) =>
    value === null ? '–' : <Money exact amount={value} currency={currency} />;
  return [
    { name: 'line', heading: t('line'), cell: ({ name }) => (isPriceKey(name) ? t(name) : name) },
    { name: 'price', heading: t('price'), end: true, cell: ({ price }) => amount(price) },
    { name: 'cost', heading: t('cost'), end: true, cell: ({ cost }) => amount(cost) },
    { name: 'left', heading: t('margin'), end: true, cell: ({ margin }) => amount(margin) },
    { name: 'percent', heading: '%', end: true, cell: (line) => <Percent line={line} /> },
  ];
}
