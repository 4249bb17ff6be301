/** The current prices by model and channel, the history of each price, and exchange rates. */

import { Box, Button, Card, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconArrowsExchange, IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS, type ChannelName } from '#catalogue/models.ts';
import { offersQuery, PriceOrigin } from '#catalogue/price-origin.tsx';
import { isPriceKey } from '#catalogue/usage-buckets.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { lazyPart } from '#components/lazy-part.ts';
import { Page } from '#components/page.tsx';
import { PageTabs } from '#components/page-tabs.tsx';
import { CardSkeleton } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { idColumn, statusColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import type { Selecting } from '#components/tables/selection.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { CardHistory } from './cards/card-history.tsx';
import { type FxRate, ratesQuery } from './cards/card-queries.ts';
import { cardsTexts } from './cards/cards-texts.ts';
import { type ChannelOffer, leastMargin, marginLines } from './channels/margin.ts';
import { headlineAmounts, priceText } from './channels/price-text.ts';
import { PriceListsTab } from './price-lists/price-lists-tab.tsx';
import { revisionQuery } from './prices/price-api.ts';
import { type Editing, PriceDialog } from './prices/price-dialog.tsx';
import { pricesTexts } from './prices/prices-texts.ts';

const route = getRouteApi('/app/admin/cards');

const PublicPrices = lazyPart(
  async () => (await import('./prices/public-prices-tab.tsx')).PublicPricesTab,
);

export function CardsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(cardsTexts);
  const { tab = 'cards' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={title('cards')}>
      <PageTabs
        value={tab}
        onChange={(name) => void navigate({ search: name === 'cards' ? {} : { tab: name } })}
        tabs={[
          { name: 'cards', label: t('cards'), panel: <CardsTab /> },
          { name: 'lists', label: t('lists'), panel: <PriceListsTab /> },
          { name: 'rates', label: t('rates'), panel: <RatesTab /> },
          {
            name: 'public',
            label: t('public'),
            panel: (
              <Suspense fallback={<CardSkeleton height={320} />}>
                <PublicPrices />
              </Suspense>
            ),
          },
        ]}
      />
    </Page>
  );
}

/** A row of the table: a model with its price and cost on each channel. */
type Row = {
  readonly model: string;
  readonly name: string;
  /** The name of the unit of the prices, in the texts. */
  readonly unit: 'perImage' | 'perMillion' | 'inAndOut';
  readonly offers: ReadonlyMap<ChannelName, ChannelOffer>;
};

function rowsOf(offers: readonly ChannelOffer[], find: string): readonly Row[] {
  const part = find.toLowerCase();
  return [...Map.groupBy(offers, ({ model }) => model)]
    .map(([model, own]) => ({
      model,
      name: own[0]?.model_name ?? model,
      unit: unitOf(own),
      offers: new Map(own.map((offer) => [offer.channel, offer])),
    }))
    .filter(({ model, name }) => `${model} ${name}`.toLowerCase().includes(part));
}

function unitOf(offers: readonly ChannelOffer[]): Row['unit'] {
  if (offers.some(({ price }) => price.per_image !== null)) return 'perImage';
  // Embedding models have a price only for their input.
  return offers.every((offer) => headlineAmounts(offer).length < 2) ? 'perMillion' : 'inAndOut';
}

function CardsTab() {
  const t = useTexts(cardsTexts);
  const tPrices = useTexts(pricesTexts);
  const { find = '', model, channel } = route.useSearch();
  const navigate = route.useNavigate();
  const offers = useQuery(offersQuery);
  const columns = useMatrix();
  const rows = offers.data === undefined ? undefined : rowsOf(offers.data.data, find);
  // The newest revision; null if the configuration is in the file, undefined while loading.
  const revision = useQuery(revisionQuery).data;
  const [editing, setEditing] = useState<Editing | null>(null);
  const cell = model === undefined || channel === undefined ? null : { model, channel };
  return (
    <Stack>
      <Box maw={420} data-page-filter>
        <FilterText
          isSearch
          label={t('find')}
          placeholder={t('find')}
          value={find}
          onCommit={(text) => void navigate({ search: { find: text } })}
        />
      </Box>
      <Card component="section">
        {offers.error === null ? null : (
          <ApiProblem error={offers.error} onRetry={() => void offers.refetch()} />
        )}
        {offers.error !== null && rows === undefined ? null : (
          <DataTable
            name="admin-cards"
            label={t('table')}
            columns={columns}
            rows={rows}
            keyOf={(row) => row.model}
            hasViews
            expected={8}
            summary={
              <>
                <Title order={2} size="h5">
                  {t('inForceTitle')}
                </Title>
                {revision === null ? <Text variant="note">{tPrices('inFile')}</Text> : null}
              </>
            }
            selecting={revision == null ? undefined : editsOf(tPrices, setEditing)}
            empty={<Empty icon={IconReceipt} title={t('empty')} />}
          />
        )}
      </Card>
      <CardHistory
        cell={cell}
        closeOnEscape={editing === null}
        onClose={() => void navigate({ search: { find } })}
        onEdit={revision == null ? null : setEditing}
      />
      <PriceDialog editing={editing} onClose={() => setEditing(null)} />
    </Stack>
  );
}

/**
 * The actions on selected models. The prices of any number of models can be multiplied by a factor.
 * If only one model is selected, its prices can also be edited.
 */
const editsOf = (
  t: (key: 'editRow' | 'multiply') => string,
  edit: (editing: Editing) => void,
): Selecting<Row> => ({
  nameOf: ({ name }) => name,
  actions: (rows) => (
    <>
      {rows.length === 1 ? (
        <Button
          size="xs"
          variant="default"
          onClick={() => edit({ by: 'price', model: rows[0]?.model ?? '', channel: null })}
        >
          {t('editRow')}
        </Button>
      ) : null}
      <Button
        size="xs"
        variant="default"
        onClick={() => edit({ by: 'factor', models: rows.map(({ model }) => model) })}
      >
        {t('multiply')}
      </Button>
    </>
  ),
});

function useMatrix(): readonly Column<Row>[] {
  const t = useTexts(cardsTexts);
  const channelName = useChannelName();
  const channelColumn = (channel: ChannelName): Column<Row> => ({
    name: channel,
    heading: channelName(channel),
    end: true,
    cell: ({ offers }) => {
      const offer = offers.get(channel);
      return offer === undefined ? '–' : <Cell offer={offer} />;
    },
    value: ({ offers }) => {
      const offer = offers.get(channel);
      return offer === undefined ? null : (headlineAmounts(offer)[0] ?? null);
    },
  });
  return [
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model, name }) => (
        <span title={model} style={{ whiteSpace: 'nowrap' }}>
          {name}
        </span>
      ),
      value: ({ name }) => name,
    },
    ...CHANNELS.map(channelColumn),
    {
      name: 'unit',
      heading: t('unit'),
      show: 'fits',
      cell: ({ unit }) => (
        <Text span inherit c="dimmed">
          {t(unit)}
        </Text>
      ),
      value: ({ unit }) => t(unit),
    },
  ];
}

/** The current price in exact form. A click opens its history. */
function Cell({ offer }: { readonly offer: ChannelOffer }) {
  const t = useTexts(cardsTexts);
  const navigate = route.useNavigate();
  const { model, channel, review_due: isDue } = offer;
  const text = priceText(offer);
  return (
    <div>
      <UnstyledButton
        fz="inherit"
        mih={24}
        aria-haspopup="dialog"
        aria-label={t('historyOf', { price: text, model, channel })}
        onClick={() =>
          void navigate({ search: (now) => ({ ...now, model, channel }), resetScroll: false })
        }
      >
        {isDue ? <Status tone="attention">{text}</Status> : text}
      </UnstyledButton>
      <CostAndMargin offer={offer} />
      <Announced offer={offer} />
      <PriceOrigin {...offer} />
    </div>
  );
}

/** The next announced price of a model on a channel. */
function Announced({ offer: { kind, upcoming } }: { readonly offer: ChannelOffer }) {
  const t = useTexts(pricesTexts);
  const { shortTime } = useFormats();
  const [next] = upcoming;
  if (next === undefined) return null;
  const price = priceText({ kind, price: next.price });
  return (
    <Text variant="caption">{t('fromPrice', { time: shortTime(next.effective_from), price })}</Text>
  );
}

const FULL = 10_000;

/**
 * Shows the configured cost of a model on a channel and the lowest margin. Renders nothing if no
 * cost is configured.
 */
function CostAndMargin({ offer }: { readonly offer: ChannelOffer }) {
  const t = useTexts(pricesTexts);
  const { percent } = useFormats();
  const { cost, kind } = offer;
  if (cost === null) return null;
  const { basisPoints: points = null, name = '' } = leastMargin(marginLines(offer)) ?? {};
  const texts = {
    cost: priceText({ kind, price: cost }),
    name: isPriceKey(name) ? t(name).toLowerCase() : name,
  };
  const isLoss = points !== null && points < 0;
  return (
    <Text
      variant="caption"
      style={{ whiteSpace: 'normal', textWrap: 'balance' }}
      {...(isLoss ? { c: 'var(--mantine-color-error)' } : {})}
    >
      {points === null
        ? t('cost', texts)
        : t('leastMargin', { ...texts, margin: percent(points / FULL) })}
    </Text>
  );
}

function RatesTab() {
  const t = useTexts(cardsTexts);
  const columns: readonly Column<FxRate>[] = [
    textColumn('pair', t('pair'), ({ from, to }) => `${from}/${to}`),
    textColumn('rate', t('rate'), ({ rate }) => rate, { end: true, phone: 'amount' }),
    statusColumn('state', t('state'), ({ in_force: isInForce }) => [
      isInForce ? 'good' : 'quiet',
      t(isInForce ? 'inForce' : 'earlier'),
    ]),
    timeColumn('published', t('published'), ({ published_at: at }) => at),
    idColumn('id', t('rateId'), ({ id }) => id),
  ];
  return (
    <ListCard
      name="admin-rates"
      label={t('ratesTable')}
      pages={useInfiniteQuery(ratesQuery)}
      columns={columns}
      keyOf={({ id }) => id}
      download={{ file: ['rates'] }}
      empty={{ icon: IconArrowsExchange, title: t('emptyRates'), hint: t('emptyRatesHint') }}
    />
  );
}
