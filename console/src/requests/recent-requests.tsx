/** A short list of requests in a card, with a link to all of them. */
import { Text } from '@mantine/core';
import { TextLink } from '#components/button-link.tsx';
import { SectionCard, type SectionCardProps } from '#components/section-card.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { type RequestRecord, useRequestColumns } from './request-columns.tsx';

export type RecentRequestsProps = Pick<SectionCardProps, 'query'> & {
  readonly title: string;
  /** The requests; undefined while loading. */
  readonly rows: readonly RequestRecord[] | undefined;
  /** The filter of the list of all requests that the link opens. */
  readonly filter: { readonly key_id?: string };
  readonly empty: string;
  /** The label of the link to all requests. */
  readonly all: string;
};

export function RecentRequests({ title, rows, filter, empty, all, query }: RecentRequestsProps) {
  const { time, model, key, state, tokens, cost } = useRequestColumns('list');
  const more = filter.key_id === undefined ? [key, tokens] : [];
  const columns = [time, model, state, ...more, cost];
  const hasMore = rows !== undefined && rows.length > 0;
  const link = (
    <TextLink size="sm" to="/requests" search={filter}>
      {all}
    </TextLink>
  );
  return (
    <SectionCard title={title} {...(query ? { query } : {})} aside={hasMore ? link : null}>
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        canSort={false}
        empty={<Text c="dimmed">{empty}</Text>}
      />
    </SectionCard>
  );
}
