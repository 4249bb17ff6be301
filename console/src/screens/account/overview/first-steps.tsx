/** The first steps, shown until a request succeeds. */

import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconMessages, IconRocket } from '@tabler/icons-react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { useTexts } from '#i18n/texts.ts';
import { overviewTexts } from './overview-texts.ts';

export function FirstSteps() {
  const t = useTexts(overviewTexts);
  const mayCreate = mayAs(useSignedIn().role, 'member');
  return (
    <Card bg="var(--mantine-primary-color-light)">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('start')}
        </Title>
        <Text maw={640}>{t('startText')}</Text>
        <Group gap="sm">
          {mayCreate ? (
            <ButtonLink leftSection={<IconKey size={16} />} to="/keys" search={{ new: true }}>
              {t('createKey')}
            </ButtonLink>
          ) : null}
          <ButtonLink variant="default" leftSection={<IconRocket size={16} />} to="/quick-start">
            {t('programs')}
          </ButtonLink>
          {mayCreate ? (
            <ButtonLink variant="default" leftSection={<IconMessages size={16} />} to="/playground">
              {t('playground')}
            </ButtonLink>
          ) : null}
        </Group>
      </Stack>
    </Card>
  );
}
