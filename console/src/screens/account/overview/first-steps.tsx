/** A checklist that stays until its steps are done or a person hides it. */
import { Button, Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSignedIn } from '#api/session.ts';
import { GetCredit } from '#bill/get-credit.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { useTexts } from '#i18n/texts.ts';
import type { Overview } from '#screens/account/account-queries.ts';
import { firstStepsTexts } from './first-steps-texts.ts';
import { type StepName, useSteps } from './steps.ts';

export function FirstSteps({ overview }: { readonly overview: Overview }) {
  const { id } = useSignedIn();
  const [isHidden, setHidden] = useLocalStorage({
    key: `modelgate.first-steps-hidden.${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return isHidden ? null : <Checklist overview={overview} onHide={() => setHidden(true)} />;
}

type ChecklistProps = { readonly overview: Overview; readonly onHide: () => void };

function Checklist({ overview, onHide }: ChecklistProps) {
  const t = useTexts(firstStepsTexts);
  const steps = useSteps(overview);
  const left = steps?.filter(({ isDone }) => !isDone) ?? [];
  if (steps === null || left.length === 0) return null;
  const done = steps.length - left.length;
  return (
    <Card component="section" aria-label={t('title')}>
      <Group justify="space-between" mb="xs">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h5">
            {t('title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('progress', { done, total: steps.length })}
          </Text>
        </Group>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onHide}>
          {t('hide')}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing={2} role="list">
        {left.map(({ name }, at) => (
          <Group key={name} role="listitem" justify="space-between" mih={36} gap="xs">
            <Text size="sm">{t(name)}</Text>
            <StepAction name={name} variant={at === 0 ? 'filled' : 'default'} />
          </Group>
        ))}
      </SimpleGrid>
    </Card>
  );
}

type StepActionProps = { readonly name: StepName; readonly variant: 'filled' | 'default' };

function StepAction({ name, variant }: StepActionProps): ReactNode {
  const t = useTexts(firstStepsTexts);
  const look = { size: 'xs', variant } as const;
  switch (name) {
    case 'credit':
      return <GetCredit />;
    case 'key':
      return (
        <ButtonLink {...look} to="/keys" search={{ new: true }}>
          {t('createKey')}
        </ButtonLink>
      );
    case 'request':
      return (
        <Group gap="xs">
          <ButtonLink {...look} to="/playground">
            {t('playground')}
          </ButtonLink>
          <ButtonLink size="xs" variant="default" to="/quick-start">
            {t('programs')}
          </ButtonLink>
        </Group>
      );
    case 'prices':
      return (
        <ButtonLink {...look} to="/admin/cards">
          {t('viewPrices')}
        </ButtonLink>
      );
    case 'people':
      return (
        <ButtonLink {...look} to="/members">
          {t('invite')}
        </ButtonLink>
      );
    case 'backup':
      return (
        <ButtonLink {...look} to="/admin/books">
          {t('ledger')}
        </ButtonLink>
      );
    case 'address':
    case 'metrics':
      return (
        <ButtonLink {...look} to="/admin/settings">
          {t('settings')}
        </ButtonLink>
      );
  }
}
