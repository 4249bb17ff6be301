/** A card with a title, an optional lead text and the content. */
import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from './api-problem.tsx';

export type SectionCardProps = {
  readonly title: string;
  readonly lead?: string;
  /** The size of the title: `h5` on pages with many sections. */
  readonly size?: 'h4' | 'h5';
  /** The title's id, for links to this section. */
  readonly titleId?: string;
  /** The content at the end of the title line, such as a state or a link. */
  readonly aside?: ReactNode;
  /**
   * The query that loads the content. Its error is shown above the content, or in place of it if
   * the query has no data.
   */
  readonly query?: {
    readonly error: Error | null;
    readonly refetch: () => unknown;
    /** The query's data; omitted if the content does not depend on it. */
    readonly data?: unknown;
  };
  /** The maximum width in pixels. If omitted, the card fills its column. */
  readonly maw?: number;
  readonly children: ReactNode;
};

export function SectionCard({
  title,
  lead,
  size = 'h4',
  titleId,
  aside,
  query,
  maw,
  children,
}: SectionCardProps) {
  const error = query?.error ?? null;
  const isEmpty =
    error !== null && query !== undefined && 'data' in query && query.data === undefined;
  return (
    <Card component="section" {...(maw === undefined ? {} : { maw })}>
      <Stack gap={size === 'h4' ? 'md' : 'xs'}>
        <Stack gap={4}>
          <Group justify="space-between">
            <Title order={2} size={size} {...(titleId === undefined ? {} : { id: titleId })}>
              {title}
            </Title>
            {aside}
          </Group>
          {lead === undefined ? null : (
            <Text variant="note" maw={720}>
              {lead}
            </Text>
          )}
        </Stack>
        {error === null ? null : <ApiProblem error={error} onRetry={() => void query?.refetch()} />}
        {isEmpty ? null : children}
      </Stack>
    </Card>
  );
}

/**
 * The placeholder of a card. The empty card appears at once, and the gray lines on it appear after
 * a moment.
 */
export const CardSkeleton = ({ height }: { readonly height: number }) => (
  <Card h={height}>
    <Skeleton height={12} width="30%" />
    <Skeleton height={24} width="45%" mt="sm" />
  </Card>
);
