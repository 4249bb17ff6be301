/** The frame of a screen. Its title is both the heading and the browser tab's title. */
import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { usePageFocus } from './page-focus.ts';

export type PageProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The main action buttons at the end of the title line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** Wider than this, the ends of a line lie too far apart to be read as one. */
const WIDTH_PX = 1440;

export function Page({ title, lead, actions, children }: PageProps) {
  const heading = usePageFocus();
  useEffect(() => {
    document.title = `${title} · Modelgate`;
  }, [title]);
  return (
    <Stack gap="md" w="100%" maw={WIDTH_PX} mx="auto">
      <Group justify="space-between" align="flex-end" gap="md" mih={32}>
        <Stack gap={4} flex="1 1 280px" maw={840}>
          <Title ref={heading} tabIndex={-1} order={1} size="h2">
            {title}
          </Title>
          {lead === undefined ? null : (
            <Text component="div" c="dimmed">
              {lead}
            </Text>
          )}
        </Stack>
        {actions === undefined ? null : <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
