/** A paged API list as a table, with a button that loads the next page. */
import { Button, Center, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { PrintedOnly } from './printing.tsx';

const texts = defineTexts('paged-table', {
  en: {
    more: 'Load more',
    continues: 'The list has more rows. Only the loaded rows are printed.',
  },
  zh: { more: '加载更多', continues: '列表尚未加载完，仅打印已加载的行。' },
});

export type ListPage<Row> = { readonly data: readonly Row[]; readonly next: string | null };
export type Pages<Row> = UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>;

/** Returns all rows, or undefined until all pages are loaded. */
export const wholeList = <Row,>({ data, hasNextPage }: Pages<Row>): readonly Row[] | undefined =>
  hasNextPage ? undefined : data?.pages.flatMap((page) => page.data);

/** The rows per page: the API's maximum, so that most lists fit on one page and can be sorted. */
export const MOST_ROWS = 1_000;

/** The paging options of an infinite query. The first page has no `after`. */
export const PAGING = {
  initialPageParam: '',
  getNextPageParam: <Page extends ListPage<unknown>>({ next }: Page): string | null => next,
} as const;

export type PagedTableProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'canSort'> & {
  readonly pages: Pages<Row>;
};

/** The table can sort once all pages are loaded, because the API sorts only by time. */
export function PagedTable<Row>({ pages, ...table }: PagedTableProps<Row>) {
  const t = useTexts(texts);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = pages;
  const problem =
    error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (problem !== null && data === undefined) return problem;
  return (
    <Stack gap="sm">
      <DataTable
        {...table}
        rows={data?.pages.flatMap((page) => page.data)}
        canSort={!hasNextPage}
      />
      {problem}
      {hasNextPage ? (
        <>
          <PrintedOnly>{t('continues')}</PrintedOnly>
          <Center>
            <Button
              variant="default"
              loading={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {t('more')}
            </Button>
          </Center>
        </>
      ) : null}
    </Stack>
  );
}
