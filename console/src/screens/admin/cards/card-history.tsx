/** A side sheet with all versions of a model's prices on a channel, newest first. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import type { ChannelName } from '#catalogue/models.ts';
import { PriceOrigin } from '#catalogue/price-origin.tsx';
import { distinctKeys, PriceTerms } from '#catalogue/price-terms.tsx';
import { isBucket } from '#catalogue/usage-buckets.ts';
import { Copyable, shortId } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { Empty } from '#components/empty.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Status } from '#components/status.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { type ListPage, PagedTable } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import type { Editing } from '#screens/admin/prices/price-dialog.tsx';
import { pricesTexts } from '#screens/admin/prices/prices-texts.ts';
import {
  type CardVersion,
  haveTermsChanged,
  linesOf,
  type PriceCard,
  type PriceLine,
  versionsOf,
} from './card-changes.ts';
import { cardsQuery } from './card-queries.ts';
import { cardsTexts } from './cards-texts.ts';

type Cell = { readonly model: string; readonly channel: ChannelName };

export type CardHistoryProps = {
  /** The model and channel; null while the sheet is closed. */
  readonly cell: Cell | null;
  readonly onClose: () => void;
  /** Opens an editor of the prices; null if the prices cannot be changed in the console. */
  readonly onEdit: ((editing: Editing) => void) | null;
  /** False while an editor is open above the sheet: Escape then closes only the editor. */
  readonly closeOnEscape: boolean;
};

export function CardHistory({ cell, onClose, onEdit, closeOnEscape }: CardHistoryProps) {
  const t = useTexts(pricesTexts);
  const channelName = useChannelName();
  const title = cell === null ? '' : `${cell.model} · ${channelName(cell.channel)}`;
  return (
    <Sheet opened={cell !== null} {...{ onClose, title, closeOnEscape }}>
      {onEdit === null ? null : (
        <Button
          size="xs"
          variant="default"
          mb="sm"
          onClick={() => cell !== null && onEdit({ by: 'price', ...cell })}
        >
          {t('edit')}
        </Button>
      )}
      {cell === null ? null : <Versions cell={cell} onEdit={onEdit} />}
    </Sheet>
  );
}

type VersionsProps = Pick<CardHistoryProps, 'onEdit'> & { readonly cell: Cell };

/** Whether a price card is announced, that is, takes effect in the future. */
const isUpcoming = ({ in_force: isInForce, effective_from: from }: PriceCard): boolean =>
  !isInForce && from !== null && Date.parse(from) > Date.now();

function Versions({ cell, onEdit }: VersionsProps) {
  const t = useTexts(cardsTexts);
  const pages = useInfiniteQuery(cardsQuery(cell));
  const versions = useVersions(pages.data?.pages, pages.hasNextPage);
  const columns: readonly Column<PriceCard>[] = [
    {
      name: 'published',
      heading: t('published'),
      cell: (card) => (
        <>
          <State card={card} />
          <div>
            <Copyable value={card.id} shown={shortId(card.id)} />
          </div>
          {onEdit === null ? null : <Undo card={card} cell={cell} onEdit={onEdit} />}
        </>
      ),
    },
    {
      name: 'prices',
      heading: t('prices'),
      cell: (card) => (
        <PriceLines version={versions.get(card.id) ?? { card, previous: 'unknown' }} />
      ),
    },
  ];
  return (
    <PagedTable
      label={t('history')}
      pages={pages}
      columns={columns}
      keyOf={({ id }) => id}
      expected={1}
      empty={<Empty icon={IconReceipt} title={t('empty')} />}
    />
  );
}

/**
 * Shows whether the price card is announced, in force or earlier. Also shows the time from which it
 * applies or, for an earlier price card, the time of its publication.
 */
function State({ card }: { readonly card: PriceCard }) {
  const t = useTexts(cardsTexts);
  const isAhead = isUpcoming(card);
  const { in_force: isInForce, effective_from: from, published_at: at } = card;
  return (
    <>
      <Status tone={isInForce ? 'good' : 'quiet'}>
        {t(isAhead ? 'upcoming' : isInForce ? 'inForce' : 'earlier')}
      </Status>
      <div>
        <ShortTime at={isAhead || isInForce ? (from ?? at) : at} />
      </div>
    </>
  );
}

type UndoProps = {
  readonly card: PriceCard;
  readonly cell: Cell;
  readonly onEdit: (editing: Editing) => void;
};

/**
 * The button that restores an earlier price or withdraws an announced one, after a review. Renders
 * nothing for the price in force.
 */
function Undo({ card, cell, onEdit }: UndoProps) {
  const t = useTexts(pricesTexts);
  const { id, in_force: isInForce, effective_from: from } = card;
  if (isInForce) return null;
  const editing: Editing =
    isUpcoming(card) && from !== null
      ? { by: 'withdraw', ...cell, moment: from }
      : { by: 'restore', ...cell, card: id };
  return (
    <Button size="compact-xs" variant="default" mt={4} onClick={() => onEdit(editing)}>
      {t(editing.by)}
    </Button>
  );
}

type CardPages = readonly ListPage<PriceCard>[] | undefined;

/** Returns the loaded price cards by ID, each with its previous version. */
function useVersions(pages: CardPages, hasMore: boolean): ReadonlyMap<string, CardVersion> {
  return useMemo(() => {
    const cards = pages?.flatMap(({ data }) => data) ?? [];
    return new Map(versionsOf(cards, !hasMore).map((version) => [version.card.id, version]));
  }, [pages, hasMore]);
}

/** The exact prices of a price card, and what changed since the previous version. */
function PriceLines({ version }: { readonly version: CardVersion }) {
  const t = useTexts(cardsTexts);
  const { card, previous } = version;
  return (
    <Stack gap={2} ta="start">
      {linesOf(version).map((line) => (
        <Line key={line.name} line={line} currency={card.currency} />
      ))}
      <Text variant="caption">
        {t(card.per_image === null ? 'perMillion' : 'perImage')}
        {typeof previous === 'string' ? ` · ${t(previous)}` : ''}
        {haveTermsChanged(version) ? ` · ${t('termsChanged')}` : ''}
      </Text>
      <PriceOrigin {...card} />
      {card.price_terms === null ? null : (
        <PriceTerms
          title={t('terms')}
          terms={card.price_terms}
          keys={distinctKeys(card.price_terms)}
        />
      )}
    </Stack>
  );
}

type LineProps = { readonly line: PriceLine; readonly currency: string };

/** A price, and how it differs from the previous version, in words. */
function Line({ line: { name, price, before, direction }, currency }: LineProps) {
  const t = useTexts(cardsTexts);
  const exact = (amount: string) => withCurrency(formatExact(parseAmount(amount)), currency);
  const isSame = direction === 'same';
  const change = [
    isSame ? '' : t(direction),
    before === null || isSame ? '' : t('was', { before: exact(before) }),
  ];
  return (
    <Group gap="xs" wrap="nowrap" fz="sm">
      <Text inherit w={110} c="dimmed">
        {isBucket(name) ? t(name) : name}
      </Text>
      {price === null ? null : (
        <Text inherit fw={isSame ? 400 : 600} style={{ whiteSpace: 'nowrap' }}>
          {exact(price)}
        </Text>
      )}
      <Text inherit c="dimmed">
        {change.join('')}
      </Text>
    </Group>
  );
}
