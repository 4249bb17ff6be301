/** A card with a title, an optional lead text and the content. */
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from './api-problem.tsx';

export type SectionCardProps = {
  readonly title: string;
  readonly lead?: string;
  /** The size of the title: `h5` on pages with many sections. */
  readonly size?: 'h4' | 'h5';
  /** The title's id, for links to this section. */
  readonly titleId?: string;
  /** What is shown at the end of the title line, such as a state or a link. */
  readonly aside?: ReactNode;
  /** The query that loads the content. Its error is shown above the content. */
  readonly query?: { readonly error: Error | null; readonly refetch: () => unknown };
  /** The greatest width in pixels; the whole column if omitted. */
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
            <Text size="sm" c="dimmed" maw={720}>
              {lead}
            </Text>
          )}
        </Stack>
        {error === null ? null : <ApiProblem error={error} onRetry={() => void query?.refetch()} />}
        {children}
      </Stack>
    </Card>
  );
}
