/** The content of an empty list: what is missing, and what to do next. */
import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

export type EmptyProps = {
  readonly icon: ComponentType<{ size?: number }>;
  readonly title: string;
  readonly children?: ReactNode;
  /** The button that creates the first item. */
  readonly action?: ReactNode;
};

export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <Stack align="center" gap="sm" py="xl" ta="center">
      <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
        <Icon size={24} />
      </ThemeIcon>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children === undefined ? null : (
        <Text c="dimmed" maw={480}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
