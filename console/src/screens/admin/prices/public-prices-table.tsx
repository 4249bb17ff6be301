/** The prices that differ from public prices. Prices that need confirmation are not preselected. */
import { Button, Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { Dialog } from '#components/dialog.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { NOTHING } from '#components/tables/column.ts';
import { statusColumn, textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import { isPrice } from './price-edit.ts';
import { PriceReview } from './price-review.tsx';
import { pricesTexts } from './prices-texts.ts';
import {
  type Asked,
  type Comparison,
  comparePrices,
  type Difference,
  publicProposal,
  rowKey,
} from './public-prices.ts';
import { publicTexts } from './public-prices-texts.ts';

export type PublicPricesTableProps = { readonly body: Asked; readonly first: Comparison };

export function PublicPricesTable({ body, first }: PublicPricesTableProps) {
  const t = useTexts(publicTexts);
  const tPrices = useTexts(pricesTexts);
  const columns = useDifferenceColumns();
  const [selected, setSelected] = useState<readonly Difference[] | null>(null);
  // The comparison is repeated when the configuration's prices change.
  const { data = first } = useQuery({
    queryKey: ['admin', 'config', 'compared', first.revision],
    queryFn: () => comparePrices(body),
    ...{ initialData: first, staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  });
  const waiting = data.data.filter(({ waits }) => waits !== null).length;
  const close = (): void => setSelected(null);
  return (
    <>
      <Card>
        <Stack gap="xs">
          <Text size="sm" role="status">
            {t('summary', { channels: data.compared, differ: data.data.length, waiting })}
          </Text>
          {data.revision === null ? <Text variant="note">{tPrices('inFile')}</Text> : null}
          <DataTable
            label={t('differences')}
            columns={columns}
            rows={data.data}
            keyOf={rowKey}
            selecting={
              data.revision === null
                ? undefined
                : {
                    nameOf: ({ model, channel, key }) => `${model} ${channel} ${tPrices(key)}`,
                    isPreselected: ({ waits }) => waits === null,
                    actions: (rows) => (
                      <Button size="xs" onClick={() => setSelected(rows)}>
                        {t('review')}
                      </Button>
                    ),
                  }
            }
            empty={<Text size="sm">{t('same')}</Text>}
          />
        </Stack>
      </Card>
      <Unmatched of={data.unmatched} />
      <Dialog opened={selected !== null} onClose={close} title={t('reviewTitle')} size="xl">
        {selected === null ? null : (
          <PriceReview
            propose={() => publicProposal(data, selected)}
            onBack={null}
            onClose={close}
          />
        )}
      </Dialog>
    </>
  );
}

const amountOf = (text: string | null): string => {
  if (text === null) return NOTHING;
  return isPrice(text) ? formatExact(parseAmount(text)) : text;
};

function useDifferenceColumns(): readonly Column<Difference>[] {
  const t = useTexts(publicTexts);
  const tPrices = useTexts(pricesTexts);
  const channelName = useChannelName();
  return [
    {
      name: 'what',
      heading: tPrices('what'),
      cell: ({ model, channel, key }) => (
        <>
          {model} · {channelName(channel)}
          <Text span inherit c="dimmed">
            {` · ${tPrices(key)}`}
          </Text>
        </>
      ),
      value: rowKey,
    },
    textColumn('before', tPrices('before'), ({ before }) => amountOf(before), { end: true }),
    textColumn('after', tPrices('after'), ({ after }) => amountOf(after), {
      ...{ end: true, phone: 'amount' },
    }),
    textColumn(
      'change',
      tPrices('change'),
      ({ percent }) => (percent === null ? null : `${percent}%`),
      { end: true },
    ),
    statusColumn('state', t('state'), ({ waits }) => [
      waits === null ? 'quiet' : 'attention',
      t(waits ?? 'free'),
    ]),
    textColumn('source', t('source'), ({ source, more }) =>
      more ? t('more', { source }) : source,
    ),
  ];
}

/** The maximum number of channels that are listed by name for each reason. */
const MAX_NAMED = 50;

function Unmatched({ of }: { readonly of: Comparison['unmatched'] }) {
  const t = useTexts(publicTexts);
  const channelName = useChannelName();
  if (of.length === 0) return null;
  return (
    <SectionCard title={t('unmatched')} size="h5">
      {[...Map.groupBy(of, ({ reason }) => reason)].map(([reason, own]) => (
        <div key={reason}>
          <Text size="sm">{t(reason)}</Text>
          <Text variant="caption">
            {own
              .slice(0, MAX_NAMED)
              .map(({ model, channel }) => `${model} · ${channelName(channel)}`)
              .join(', ')}
            {own.length > MAX_NAMED ? ` + ${own.length - MAX_NAMED}` : ''}
          </Text>
        </div>
      ))}
    </SectionCard>
  );
}
