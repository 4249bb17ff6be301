/** The tab with the price, cost and margin of each channel. */
import { Card, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { offersQuery } from '#catalogue/price-origin.tsx';
import { isPriceKey } from '#catalogue/usage-buckets.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { Status } from '#components/status.tsx';
import { NOTHING } from '#components/tables/column.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { channelTexts } from './channels-texts.ts';
import { type ChannelOffer, leastMargin, type MarginLine, marginLines } from './margin.ts';
import { headlineAmounts, priceText } from './price-text.ts';

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
        expected={12}
        name="admin-prices"
        download={{ file: ['prices'] }}
        summary={
          data?.data.some(({ cost }) => cost === null) ? (
            <Text size="sm" c="dimmed">
              {t('noCostHint')}
            </Text>
          ) : null
        }
      />
      <OfferSheet offer={shown} onClose={() => setShown(null)} />
    </Card>
  );
}

function useColumns(show: (offer: ChannelOffer) => void): readonly Column<ChannelOffer>[] {
  const t = useTexts(channelTexts);
  const { list } = useFormats();
  const channelName = useChannelName();
  const money = (
    name: 'price' | 'cost',
    of: (offer: ChannelOffer) => ChannelOffer['price'] | null,
  ): Column<ChannelOffer> => ({
    name,
    heading: t(name),
    end: true,
    cell: (offer) => {
      const price = of(offer);
      return price === null ? NOTHING : priceText({ kind: offer.kind, price });
    },
    value: (offer) => {
      const price = of(offer);
      return price === null ? null : (headlineAmounts({ kind: offer.kind, price })[0] ?? null);
    },
  });
  return [
    {
      name: 'model',
      heading: t('model'),
      cell: (offer) => (
        <UnstyledButton
          fz="inherit"
          mih={24}
          style={{ whiteSpace: 'nowrap' }}
          title={offer.model}
          aria-haspopup="dialog"
          aria-label={t('detailsOf', { model: offer.model_name, channel: offer.channel })}
          onClick={() => show(offer)}
        >
          {offer.model_name}
        </UnstyledButton>
      ),
      value: ({ model_name: name }) => name,
    },
    {
      name: 'channel',
      heading: t('channel'),
      cell: (offer) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          {channelName(offer.channel)}
          {offer.default ? <Dimmed>{` · ${t('defaultChannel')}`}</Dimmed> : null}
        </span>
      ),
      value: ({ channel }) => channelName(channel),
    },
    { ...money('price', ({ price }) => price), phone: 'amount' },
    { ...money('cost', ({ cost }) => cost), show: 'fits' },
    {
      name: 'unit',
      heading: t('unit'),
      show: 'fits',
      cell: ({ price }) => <Dimmed>{t(price.per_image === null ? 'per1M' : 'perImage')}</Dimmed>,
    },
    {
      name: 'margin',
      heading: t('leastMargin'),
      end: true,
      show: 'fits',
      cell: (offer) => {
        const line = leastMargin(marginLines(offer));
        return line === null ? NOTHING : <Percent line={line} />;
      },
      value: (offer) => leastMargin(marginLines(offer))?.basisPoints ?? null,
    },
    {
      name: 'example',
      heading: t('note'),
      phone: 'state',
      cell: ({ example, only_on: lists }) => (
        <>
          {example ? (
            <Status tone="attention" title={t('exampleHint')}>
              {t('example')}
            </Status>
          ) : null}
          {lists === null ? null : <Dimmed>{t('onlyOn', { lists: list(lists) })}</Dimmed>}
        </>
      ),
      value: ({ example, only_on: lists }) =>
        example ? t('example') : (lists?.join(', ') ?? null),
    },
  ];
}

const Dimmed = ({ children }: { readonly children: string }) => (
  <Text span inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
    {children}
  </Text>
);

const FULL = 10_000;

function Percent({ line }: { readonly line: MarginLine | null }) {
  const { percent } = useFormats();
  if (line?.basisPoints == null) return NOTHING;
  return (
    <Text span size="sm" c={line.basisPoints < 0 ? 'var(--mantine-color-error)' : 'inherit'}>
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
          />
          <Text size="sm">
            {t('card')}: <Copyable value={offer.price_card} />
          </Text>
          {offer.cost === null ? <Text variant="note">{t('noCostHint')}</Text> : null}
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
