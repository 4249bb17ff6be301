/** A paged API list in a card, with an empty state. */
import { Card } from '@mantine/core';
import { Empty, type EmptyProps } from '#components/empty.tsx';
import { PagedTable, type PagedTableProps } from './paged-table.tsx';

export type ListCardProps<Row> = Omit<PagedTableProps<Row>, 'empty'> & {
  readonly empty: Omit<EmptyProps, 'children'> & { readonly hint?: string | undefined };
};

export function ListCard<Row>({ empty: { hint, ...empty }, ...table }: ListCardProps<Row>) {
  return (
    <Card>
      <PagedTable {...table} empty={<Empty {...empty}>{hint}</Empty>} />
    </Card>
  );
}
