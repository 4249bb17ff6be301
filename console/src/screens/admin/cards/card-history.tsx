/** A side sheet with the versions of the prices of a model on a channel, newest first. */
import { IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import type { ChannelName } from '#catalogue/models.ts';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { Empty } from '#components/empty.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Status } from '#components/status.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { type ListPage, PagedTable } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { shortId } from '#screens/admin/admin-link.tsx';
import { type CardVersion, type PriceCard, versionsOf } from './card-changes.ts';
import { cardsQuery } from './card-queries.ts';
import { cardsTexts } from './cards-texts.ts';
import { PriceLines } from './price-lines.tsx';

type Cell = { readonly model: string; readonly channel: ChannelName };

export type CardHistoryProps = {
  /** The model and channel; null while the sheet is closed. */
  readonly cell: Cell | null;
  readonly onClose: () => void;
};

export function CardHistory({ cell, onClose }: CardHistoryProps) {
  const channelName = useChannelName();
  const title = cell === null ? '' : `${cell.model} · ${channelName(cell.channel)}`;
  return (
    <Sheet opened={cell !== null} onClose={onClose} title={title}>
      {cell === null ? null : <Versions {...cell} />}
    </Sheet>
  );
}

function Versions(cell: Cell) {
  const t = useTexts(cardsTexts);
  const pages = useInfiniteQuery(cardsQuery(cell));
  const versions = useVersions(pages.data?.pages, pages.hasNextPage);
  const columns: readonly Column<PriceCard>[] = [
    {
      name: 'published',
      heading: t('published'),
      cell: ({ id, in_force: isInForce, published_at: at }) => (
        <>
          <Status tone={isInForce ? 'good' : 'quiet'}>
            {t(isInForce ? 'inForce' : 'earlier')}
          </Status>
          <div>
            <ShortTime at={at} />
          </div>
          <Copyable value={id} shown={shortId(id)} />
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

type CardPages = readonly ListPage<PriceCard>[] | undefined;

/** Returns each loaded price card with its previous version, by the card's ID. */
function useVersions(pages: CardPages, hasMore: boolean): ReadonlyMap<string, CardVersion> {
  return useMemo(() => {
    const cards = pages?.flatMap(({ data }) => data) ?? [];
    return new Map(versionsOf(cards, !hasMore).map((version) => [version.card.id, version]));
  }, [pages, hasMore]);
}
