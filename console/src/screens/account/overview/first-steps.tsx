/** The first steps, shown until a request succeeds. */
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconMessages, IconRocket } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { mayAs, useSignedIn } from '#api/session.ts';
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
            <Button
              leftSection={<IconKey size={16} />}
              renderRoot={(props) => <Link to="/keys" search={{ new: true }} {...props} />}
            >
              {t('createKey')}
            </Button>
          ) : null}
          <Button
            variant="default"
            leftSection={<IconRocket size={16} />}
            renderRoot={(props) => <Link to="/quick-start" {...props} />}
          >
            {t('programs')}
          </Button>
          {mayCreate ? (
            <Button
              variant="default"
              leftSection={<IconMessages size={16} />}
              renderRoot={(props) => <Link to="/playground" {...props} />}
            >
              {t('playground')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Card>
  );
}
