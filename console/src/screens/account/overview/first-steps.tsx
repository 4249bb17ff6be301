/** A checklist that stays until its steps are done or a person hides it. */
import { Button, Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { GetCredit } from '#bill/get-credit.tsx';
import { useModels } from '#catalogue/models.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { useTexts } from '#i18n/texts.ts';
import { keysQuery } from '#keys/key-queries.ts';
import { parseAmount } from '#money/amount.ts';
import type { Overview } from '#screens/account/account-queries.ts';
import { firstStepsTexts } from './first-steps-texts.ts';

export function FirstSteps({ overview }: { readonly overview: Overview }) {
  const { id } = useSignedIn();
  const [isHidden, setHidden] = useLocalStorage({
    key: `modelgate.first-steps-hidden.${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return <Checklist {...{ overview, isHidden }} onHide={setHidden} />;
}

type ChecklistProps = {
  readonly overview: Overview;
  readonly isHidden: boolean;
  readonly onHide: (isHidden: boolean) => void;
};

function Checklist({ overview, isHidden, onHide }: ChecklistProps) {
  const t = useTexts(firstStepsTexts);
  const steps = useSteps(overview);
  const left = steps?.filter(({ isDone }) => !isDone) ?? [];
  if (steps === null || left.length === 0) return null;
  const done = steps.length - left.length;
  if (isHidden) {
    return (
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onHide(false)}>
          {t('show', { count: left.length })}
        </Button>
      </Group>
    );
  }
  return (
    <Card component="section" aria-label={t('title')}>
      <Group justify="space-between" mb="xs">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h5">
            {t('title')}
          </Title>
          <Text variant="note">{t('progress', { done, total: steps.length })}</Text>
        </Group>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onHide(true)}>
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
    case 'provider':
      return (
        <ButtonLink {...look} to="/admin/routes" search={{ tab: 'upstreams' }}>
          {t('viewUpstreams')}
        </ButtonLink>
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

const CALLER_STEPS = ['credit', 'key', 'request'] as const;
const OPERATOR_STEPS = ['provider', 'prices', 'address', 'people', 'backup', 'metrics'] as const;

/** The steps to a working account and, for administrators, to a gateway that others can use. */
type StepName = (typeof CALLER_STEPS)[number] | (typeof OPERATOR_STEPS)[number];
type Step = { readonly name: StepName; readonly isDone: boolean };

/**
 * How long the API's answers are cached. Slightly outdated answers do no harm, because an
 * installation rarely changes.
 */
const STALE_MS = 60_000;

/**
 * Matches the path of an upstream's setting `protocol`, which is `builtin` for the demo upstream.
 */
const PROTOCOL = /^upstreams\.[^.]+\.protocol$/;

/**
 * The query that determines which of an administrator's steps are done. It leaves out the step
 * `prices`, because the catalog shows whether the prices are examples.
 */
const operatorQuery = queryOptions({
  queryKey: ['operator-steps'],
  queryFn: async ({
    signal,
  }): Promise<Readonly<Record<Exclude<(typeof OPERATOR_STEPS)[number], 'prices'>, boolean>>> => {
    const backups = { action: 'backup.create', limit: 1 } as const;
    const [settings, people, invitations, audit] = await Promise.all([
      answerOf(api.GET('/admin/v1/settings', { signal })),
      answerOf(api.GET('/console/api/members', { signal })),
      answerOf(api.GET('/console/api/invitations', { signal })),
      answerOf(api.GET('/admin/v1/audit', { params: { query: backups }, signal })),
    ]);
    const isSet = (name: string): boolean =>
      settings.data.some((setting) => setting.name === name && setting.source !== 'default');
    return {
      provider: settings.data.some(
        ({ name, value }) => PROTOCOL.test(name) && value !== 'builtin' && value !== '-',
      ),
      address: isSet('public_url'),
      people: people.data.length + invitations.data.length > 1,
      backup: audit.data.length > 0,
      metrics: isSet('metrics.listen'),
    };
  },
  staleTime: STALE_MS,
});

/** Returns the person's steps; null until it is known which of them are done. */
function useSteps(overview: Overview): readonly Step[] | null {
  const { role } = useSignedIn();
  const isAdministrator = role === 'administrator';
  const { data: keys } = useQuery(keysQuery);
  const { data: operator } = useQuery({ ...operatorQuery, enabled: isAdministrator });
  const { data: models } = useModels();
  if (!mayAs(role, 'member')) return [];
  if (keys === undefined || (isAdministrator && (operator === undefined || models === undefined))) {
    return null;
  }
  const hasCalled = overview.first_call_done;
  const done: Readonly<Record<StepName, boolean>> = {
    credit: hasCalled || overview.wallets.some(({ available }) => parseAmount(available) > 0n),
    key: hasCalled || keys.length > 0,
    request: hasCalled,
    prices: models?.every(({ channels }) => channels.every(({ example }) => !example)) ?? true,
    ...(operator ?? { provider: true, address: true, people: true, backup: true, metrics: true }),
  };
  const names = [...CALLER_STEPS, ...(isAdministrator ? OPERATOR_STEPS : [])];
  return names.map((name) => ({ name, isDone: done[name] }));
}
