/**
 * The tab with the account's ledger in exact amounts, newest first. An entry of a request links to
 * the request.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { moneyColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import {
  DayFields,
  FilterBar,
  FilterChoice,
  RangeText,
} from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { useReason } from '#money/reason.ts';
import { ledgerQuery, type Movement } from './billing-queries.ts';
import {
  type LedgerFilter,
  ledgerAddress,
  ledgerFilterOf,
  MOVEMENT_KINDS,
} from './billing-search.ts';
import { ledgerTexts } from './ledger-texts.ts';

const route = getRouteApi('/app/billing');

export function LedgerTab() {
  const t = useTexts(ledgerTexts);
  const filter = ledgerFilterOf(route.useSearch());
  const columns = useMovementColumns();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Stack>
      <LedgerFilters filter={filter} />
      <ListCard
        label={t('movements')}
        pages={useInfiniteQuery(ledgerQuery(filter))}
        columns={columns}
        keyOf={({ id }) => id}
        minWidth={860}
        expected={10}
        summary={filter.from === undefined ? <Text variant="note">{t('lastYear')}</Text> : null}
        download={{ href: ledgerAddress(filter) }}
        empty={{
          icon: IconListDetails,
          title: t(isFiltered ? 'noMatch' : 'empty'),
          hint: t(isFiltered ? 'noMatchHint' : 'emptyHint'),
        }}
      />
    </Stack>
  );
}

function LedgerFilters({ filter }: { readonly filter: LedgerFilter }) {
  const t = useTexts(ledgerTexts);
  const navigate = route.useNavigate();
  const days = { range: filter, timeZone: useTimeZone() };
  const change = (values: Readonly<Record<string, unknown>>): void =>
    void navigate({ search: (search) => ({ ...search, ...values }), replace: true });
  const field = (name: 'kind' | 'currency') => ({
    label: t(name),
    value: filter[name] ?? '',
    onCommit: (text: string) => change({ [name]: text }),
  });
  const any = t('any');
  return (
    <Stack gap="sm">
      <FilterBar>
        <FilterChoice
          {...field('kind')}
          any={any}
          choices={MOVEMENT_KINDS.map((value) => ({ value, label: t(value) }))}
        />
        <FilterChoice
          {...field('currency')}
          any={any}
          choices={CURRENCIES.map((value) => ({ value, label: value }))}
        />
        <DayFields {...days} onChange={(range) => change(range)} />
        {Object.keys(filter).length === 0 ? null : (
          <Button
            variant="subtle"
            mt="auto"
            onClick={() => void navigate({ search: { tab: 'ledger' } })}
          >
            {t('clear')}
          </Button>
        )}
      </FilterBar>
      {filter.from === undefined ? null : <RangeText {...days} />}
    </Stack>
  );
}

export function useMovementColumns(): readonly Column<Movement>[] {
  const t = useTexts(ledgerTexts);
  return [
    timeColumn('at', t('when'), ({ at }) => at),
    textColumn('kind', t('kind'), ({ kind }) => t(kind), { phone: 'state' }),
    { name: 'about', heading: t('about'), cell: (movement) => <About movement={movement} /> },
    moneyColumn('amount', t('amount'), (entry) => entry, { phone: 'amount', exact: true }),
    moneyColumn('balance', t('balanceAfter'), after, { exact: true }),
  ];
}

const after = ({ balance_after: amount, currency }: Movement) => ({ amount, currency });

/** Explains an entry: its request, its reason and its exchange rate, if it has them. */
function About({ movement }: { readonly movement: Movement }) {
  const t = useTexts(ledgerTexts);
  const reasonOf = useReason();
  const { request_id: requestId, reason, fx_price: price } = movement;
  return (
    <Stack gap={0} maw={340}>
      {requestId === null ? null : (
        <Group gap={6} wrap="nowrap">
          <TextLink size="sm" to="/requests" search={{ id: requestId }}>
            {t('request')}
          </TextLink>
          <Copyable value={requestId} shown={shortened(requestId)} />
        </Group>
      )}
      {reason === null ? null : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reasonOf(reason)}
        </Text>
      )}
      {price === null ? null : <Text variant="caption">{t('atRate', { price })}</Text>}
    </Stack>
  );
}

const ENDS = 6;

/** Shortens the id to `req_01…9XK2`, so that the row stays on one line. */
const shortened = (id: string): string =>
  id.length <= 4 * ENDS ? id : `${id.slice(0, ENDS + 4)}…${id.slice(-ENDS)}`;
