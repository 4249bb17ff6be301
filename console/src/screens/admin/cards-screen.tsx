/** The versions of prices, with the changes in each version, and the versions of exchange rates. */

import { SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { IconArrowsExchange, IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { oneOf } from '#api/lists.ts';
import { CHANNELS } from '#catalogue/models.ts';
import { Copyable } from '#components/copyable.tsx';
import { Moment } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { Status } from '#components/status.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { FilterChoice, FilterText } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { type CardVersion, type PriceCard, versionsOf } from './cards/card-changes.ts';
import { cardsQuery, type FxRate, ratesQuery } from './cards/card-queries.ts';
import { cardsTexts } from './cards/cards-texts.ts';
import { PriceLines } from './cards/price-lines.tsx';

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
        <Tabs.List mb="lg">
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

function CardsTab() {
  const t = useTexts(cardsTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const pages = useInfiniteQuery(cardsQuery(search));
  const columns = useCardColumns(useVersions(pages.data?.pages, pages.hasNextPage));
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2 }} maw={560}>
        <FilterText
          label={t('model')}
          value={search.model ?? ''}
          onCommit={(text) => void navigate({ search: { ...search, model: text } })}
        />
        <FilterChoice
          label={t('channel')}
          any={t('anyChannel')}
          choices={CHANNELS.map((value) => ({ value, label: value }))}
          value={search.channel ?? ''}
          onCommit={(channel) =>
            void navigate({ search: { ...search, channel: oneOf(CHANNELS, channel) } })
          }
        />
      </SimpleGrid>
      <ListCard
        label={t('table')}
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        minWidth={860}
        empty={{ icon: IconReceipt, title: t('empty') }}
      />
    </Stack>
  );
}

type CardPages = readonly { readonly data: readonly PriceCard[] }[] | undefined;

/** Returns each loaded price card with its previous version, by the card's ID. */
function useVersions(pages: CardPages, hasMore: boolean): ReadonlyMap<string, CardVersion> {
  return useMemo(() => {
    const cards = pages?.flatMap(({ data }) => data) ?? [];
    return new Map(versionsOf(cards, !hasMore).map((version) => [version.card.id, version]));
  }, [pages, hasMore]);
}

function useCardColumns(versions: ReadonlyMap<string, CardVersion>): readonly Column<PriceCard>[] {
  const t = useTexts(cardsTexts);
  return [
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model, channel }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {model}
          </Text>
          <Text size="xs" c="dimmed">
            {channel}
          </Text>
        </Stack>
      ),
    },
    { name: 'state', heading: t('state'), cell: (card) => <InForce isInForce={card.in_force} /> },
    {
      name: 'published',
      heading: t('published'),
      cell: ({ published_at: at }) => <Moment at={at} />,
    },
    {
      name: 'prices',
      heading: t('prices'),
      cell: (card) => (
        <PriceLines version={versions.get(card.id) ?? { card, previous: 'unknown' }} />
      ),
    },
    { name: 'card', heading: t('card'), cell: ({ id }) => <Copyable value={id} /> },
  ];
}

function InForce({ isInForce }: { readonly isInForce: boolean }) {
  const t = useTexts(cardsTexts);
  return (
    <Status tone={isInForce ? 'good' : 'quiet'}>{t(isInForce ? 'inForce' : 'earlier')}</Status>
  );
}

function RatesTab() {
  const t = useTexts(cardsTexts);
  const columns: readonly Column<FxRate>[] = [
    { name: 'pair', heading: t('pair'), cell: ({ from, to }) => `${from}/${to}` },
    { name: 'rate', heading: t('rate'), end: true, cell: ({ rate }) => rate },
    { name: 'state', heading: t('state'), cell: (rate) => <InForce isInForce={rate.in_force} /> },
    {
      name: 'published',
      heading: t('published'),
      cell: ({ published_at: at }) => <Moment at={at} />,
    },
    { name: 'id', heading: t('rateId'), cell: ({ id }) => <Copyable value={id} /> },
  ];
  return (
    <ListCard
      label={t('ratesTable')}
      pages={useInfiniteQuery(ratesQuery)}
      columns={columns}
      keyOf={({ id }) => id}
      minWidth={620}
      empty={{ icon: IconArrowsExchange, title: t('emptyRates'), hint: t('emptyRatesHint') }}
    />
  );
}
