/** The prices in force by model and channel, the history of each, and exchange rates. */

import { Box, Stack, Tabs, Text, UnstyledButton } from '@mantine/core';
import { IconArrowsExchange, IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS, type ChannelName } from '#catalogue/models.ts';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { shortId } from './admin-link.tsx';
import { CardHistory } from './cards/card-history.tsx';
import { dueQuery, type FxRate, ratesQuery } from './cards/card-queries.ts';
import { cardsTexts } from './cards/cards-texts.ts';
import { offersQuery } from './channels/channel-queries.ts';
import type { ChannelOffer } from './channels/margin.ts';
import { headlineAmounts, priceText } from './channels/price-text.ts';

const route = getRouteApi('/app/admin/cards');

export function CardsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(cardsTexts);
  const { tab = 'cards' } = route.useSearch();
  const navigate = route.useNavigate();
  const toTab = (name: string | null): void =>
    void navigate({ search: name === 'rates' ? { tab: 'rates' } : {} });
  return (
    <Page title={title('cards')}>
      <Tabs value={tab} onChange={toTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="cards" leftSection={<IconReceipt size={16} />}>
            {t('cards')}
          </Tabs.Tab>
          <Tabs.Tab value="rates" leftSection={<IconArrowsExchange size={16} />}>
            {t('rates')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="cards">
          <CardsTab />
        </Tabs.Panel>
        <Tabs.Panel value="rates">
          <RatesTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** A model with its offer on each channel. */
type Row = {
  readonly model: string;
  readonly name: string;
  readonly isPerImage: boolean;
  readonly offers: ReadonlyMap<ChannelName, ChannelOffer>;
};

function rowsOf(offers: readonly ChannelOffer[], find: string): readonly Row[] {
  const part = find.toLowerCase();
  return [...Map.groupBy(offers, ({ model }) => model)]
    .map(([model, own]) => ({
      model,
      name: own[0]?.model_name ?? model,
      isPerImage: own.some(({ price }) => price.per_image !== null),
      offers: new Map(own.map((offer) => [offer.channel, offer])),
    }))
    .filter(({ model, name }) => `${model} ${name}`.toLowerCase().includes(part));
}

function CardsTab() {
  const t = useTexts(cardsTexts);
  const { find = '', model, channel } = route.useSearch();
  const navigate = route.useNavigate();
  const offers = useQuery(offersQuery);
  const columns = useMatrix();
  const rows = offers.data === undefined ? undefined : rowsOf(offers.data.data, find);
  return (
    <Stack>
      <Box maw={420} data-page-filter>
        <FilterText
          label={t('find')}
          value={find}
          onCommit={(text) => void navigate({ search: { find: text } })}
        />
      </Box>
      <SectionCard title={t('inForceTitle')} size="h5" query={offers}>
        <div>
          <DataTable
            name="admin-cards"
            label={t('table')}
            columns={columns}
            rows={rows}
            keyOf={(row) => row.model}
            hasViews
            expected={8}
            empty={<Empty icon={IconReceipt} title={t('empty')} />}
          />
        </div>
      </SectionCard>
      <CardHistory
        cell={model === undefined || channel === undefined ? null : { model, channel }}
        onClose={() => void navigate({ search: { find } })}
      />
    </Stack>
  );
}

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
      cell: ({ model, name }) => <span title={model}>{name}</span>,
      value: ({ name }) => name,
    },
    ...CHANNELS.map(channelColumn),
    {
      name: 'unit',
      heading: t('unit'),
      cell: ({ isPerImage }) => (
        <Text span inherit c="dimmed">
          {t(isPerImage ? 'perImage' : 'inAndOut')}
        </Text>
      ),
      value: ({ isPerImage }) => t(isPerImage ? 'perImage' : 'inAndOut'),
    },
  ];
}

/** The exact price in force, which opens its history. */
function Cell({ offer }: { readonly offer: ChannelOffer }) {
  const t = useTexts(cardsTexts);
  const navigate = route.useNavigate();
  const { model, channel, price_card: card } = offer;
  const isDue = useQuery(dueQuery).data?.has(card) === true;
  const text = priceText(offer);
  return (
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
  );
}

function RatesTab() {
  const t = useTexts(cardsTexts);
  const columns: readonly Column<FxRate>[] = [
    {
      name: 'pair',
      heading: t('pair'),
      cell: ({ from, to }) => `${from}/${to}`,
      value: ({ from, to }) => `${from}/${to}`,
    },
    {
      name: 'rate',
      heading: t('rate'),
      end: true,
      phone: 'amount',
      cell: ({ rate }) => rate,
      value: ({ rate }) => rate,
    },
    {
      name: 'state',
      heading: t('state'),
      phone: 'state',
      cell: ({ in_force: isInForce }) => (
        <Status tone={isInForce ? 'good' : 'quiet'}>{t(isInForce ? 'inForce' : 'earlier')}</Status>
      ),
      value: ({ in_force: isInForce }) => t(isInForce ? 'inForce' : 'earlier'),
    },
    {
      name: 'published',
      heading: t('published'),
      cell: ({ published_at: at }) => <ShortTime at={at} />,
      value: ({ published_at: at }) => at,
    },
    {
      name: 'id',
      heading: t('rateId'),
      cell: ({ id }) => <Copyable value={id} shown={shortId(id)} />,
      value: ({ id }) => id,
    },
  ];
  return (
    <ListCard
      name="admin-rates"
      label={t('ratesTable')}
      pages={useInfiniteQuery(ratesQuery)}
      columns={columns}
      keyOf={({ id }) => id}
      csv={{ file: ['rates'] }}
      empty={{ icon: IconArrowsExchange, title: t('emptyRates'), hint: t('emptyRatesHint') }}
    />
  );
}
