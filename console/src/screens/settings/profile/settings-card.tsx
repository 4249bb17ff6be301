/** A card for one setting: title, state and fields. */
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export type SettingsCardProps = {
  readonly title: string;
  readonly lead?: string;
  /** The state of the setting, shown at the end of the title line. */
  readonly state?: ReactNode;
  readonly children: ReactNode;
};

export function SettingsCard({ title, lead, state, children }: SettingsCardProps) {
  return (
    <Card component="section">
      <Stack>
        <Stack gap={4}>
          <Group justify="space-between">
            <Title order={2} size="h4">
              {title}
            </Title>
            {state}
          </Group>
          {lead === undefined ? null : (
            <Text size="sm" c="dimmed" maw={640}>
              {lead}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Card>
  );
}
