/** The page of a key: spend, limits, daily usage and recent requests. */

import { Alert, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { FactTable } from '#components/facts.tsx';
import { Moment } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { CardSkeleton } from '#components/section-card.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { budgetsOf, SPEND_WINDOWS, type SpendWindow } from '#keys/budget.ts';
import { BudgetProgress, Cap } from '#keys/budget-bar.tsx';
import { KeyButtons } from '#keys/key-actions.tsx';
import type { ApiKey } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { KEYS, keyQuery } from '#keys/key-queries.ts';
import { creatorOf, mayManage, scopeNames } from '#keys/key-state.ts';
import { KeyStatus } from '#keys/key-status.tsx';
import { keyTexts } from '#keys/key-texts.ts';
import { Money } from '#money/money.tsx';
import type { PersonLimits } from '#people/people-api.ts';
import { PromptLogNotice, PromptLogSwitch } from '#requests/prompt-log.tsx';
import { RecentRequests } from '#requests/recent-requests.tsx';
import { SpendChart } from '#screens/account/spend-chart.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { CreatorLimit } from './creator-limit.tsx';
import { keyPageTexts } from './key-page-texts.ts';

const route = getRouteApi('/app/keys/$id');

export function KeyScreen() {
  const { id } = route.useParams();
  const title = useTexts(navigationTexts);
  const { data: apiKey, error, refetch } = useQuery(keyQuery(id));
  if (error !== null && apiKey === undefined) {
    return (
      <Page title={title('keys')}>
        <ApiProblem error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (apiKey === undefined) return <KeyPlaceholder />;
  return <KeyPage apiKey={apiKey} />;
}

function KeyPlaceholder() {
  const title = useTexts(navigationTexts);
  return (
    <Page title={title('keys')} lead={<Skeleton height={20} width={280} />}>
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', lg: 'md' }}>
        {SPEND_WINDOWS.map((window) => (
          <CardSkeleton key={window} height={112} />
        ))}
      </SimpleGrid>
      <CardSkeleton height={300} />
    </Page>
  );
}

function KeyPage({ apiKey }: { readonly apiKey: ApiKey }) {
  const title = useTexts(navigationTexts);
  const t = useTexts(keyPageTexts);
  const mayChange = mayManage(useSignedIn(), apiKey);
  const lead = (
    <Group component="span" gap="sm">
      <KeyStatus apiKey={apiKey} />
      <Text span ff="monospace" size="sm">
        {apiKey.masked}
      </Text>
      <Copyable value={apiKey.id} />
    </Group>
  );
  return (
    <Page
      title={apiKey.name}
      parent={<TextLink to="/keys">{title('keys')}</TextLink>}
      lead={lead}
      actions={mayChange ? <KeyButtons apiKey={apiKey} /> : undefined}
    >
      <KeyNotices apiKey={apiKey} />
      <PromptLogNotice keyId={apiKey.id} />
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', lg: 'md' }}>
        {SPEND_WINDOWS.map((window) => (
          <SpendCard key={window} apiKey={apiKey} window={window} />
        ))}
      </SimpleGrid>
      <Card>
        <SpendChart title={t('use')} keyId={apiKey.id} />
      </Card>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Card style={{ alignSelf: 'start' }}>
          <Title order={2} size="h4" mb="sm">
            {t('limits')}
          </Title>
          <Stack>
            <KeyLimits apiKey={apiKey} />
            <PromptLogSwitch keyId={apiKey.id} />
          </Stack>
        </Card>
        <KeyRequests keyId={apiKey.id} />
      </SimpleGrid>
    </Page>
  );
}

const SHOWN_REQUESTS = 10;

function KeyRequests({ keyId }: { readonly keyId: string }) {
  const t = useTexts(keyPageTexts);
  const filter = { key_id: keyId };
  const query = useQuery({
    queryKey: ['requests', 'recent', keyId],
    queryFn: ({ signal }) => {
      const newest = { ...filter, limit: SHOWN_REQUESTS };
      return answerOf(api.GET('/console/api/requests', { params: { query: newest }, signal }));
    },
  });
  return (
    <RecentRequests
      title={t('requests')}
      rows={query.data?.data}
      filter={filter}
      empty={t('noRequests')}
      all={t('allRequests')}
      query={query}
    />
  );
}

/** Notices that explain why the key is refused, or how long the previous secret works. */
function KeyNotices({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyPageTexts);
  const { previous_secret_until: until, revoked_at: revokedAt, expires_at: expiresAt } = apiKey;
  const isOverlapping = until !== null && Date.parse(until) > Date.now();
  const usedUp = budgetsOf(apiKey).some(({ part }) => part >= 1);
  return (
    <>
      {revokedAt === null ? null : (
        <Alert color="gray" title={t('revoked')}>
          <Moment at={revokedAt} />
        </Alert>
      )}
      {apiKey.status === 'disabled' ? <Alert color="yellow" title={t('disabled')} /> : null}
      {apiKey.status === 'active' && expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? (
        <Alert color="orange" title={t('expired')}>
          <Moment at={expiresAt} />
        </Alert>
      ) : null}
      {isOverlapping && apiKey.status !== 'revoked' ? (
        <Alert color="blue" title={t('overlap')}>
          <Moment at={until} />
        </Alert>
      ) : null}
      {usedUp && apiKey.status === 'active' ? <Alert color="red" title={t('usedUp')} /> : null}
    </>
  );
}

function SpendCard({ apiKey, window }: { readonly apiKey: ApiKey; readonly window: SpendWindow }) {
  const names = useTexts(keyTexts);
  const t = useTexts(keyPageTexts);
  const { ago, time } = useFormats();
  const budget = budgetsOf(apiKey).find((each) => each.window === window);
  const { spent, resets_at: resetsAt } = apiKey.spend[window];
  return (
    <Card>
      <Stack gap={6}>
        <Text variant="note">{t('spent', { window: names(window) })}</Text>
        <Group gap={6} align="baseline">
          <Money amount={spent} currency="USD" fz="xl" fw={600} />
          {budget === undefined ? null : <Cap budget={budget} />}
        </Group>
        {budget === undefined ? null : <BudgetProgress budget={budget} />}
        {resetsAt === null ? null : (
          <Text variant="caption" title={time(resetsAt)}>
            {t('resets', { ago: ago(resetsAt) })}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

/** Shows only the limits that are set, so that they are easy to find. */
function KeyLimits({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyPageTexts);
  const headings = useTexts(keyTexts);
  const names = useTexts(keyFormTexts);
  const { count, list } = useFormats();
  const { limits } = apiKey;
  const creator = useCreatorLimits(apiKey);
  const counted = (value: number | null): ReactNode => (value === null ? null : count(value));
  const listed = (words: readonly string[] | null): ReactNode => words && list(words);
  const lines = [
    ...SPEND_WINDOWS.map((window) => {
      const cap = limits.spend[window];
      return { name: window, value: cap && <Money amount={cap} currency="USD" /> };
    }),
    { name: 'requests', value: counted(limits.requests_per_minute) },
    { name: 'tokens', value: counted(limits.tokens_per_minute) },
    { name: 'concurrency', value: counted(limits.concurrency) },
    { name: 'models', value: listed(limits.models) },
    { name: 'channels', value: listed(limits.channels) },
    { name: 'addresses', value: listed(limits.ip_ranges) },
  ] as const;
  const facts = lines.map(({ name, value }) => ({ name: names(name), value }));
  const isUnlimited = lines.every(({ value }) => value === null);
  return (
    <FactTable
      width="45%"
      facts={[
        { name: t('limits'), value: isUnlimited ? names('noLimit') : null },
        ...facts,
        { name: headings('scopes'), value: list(scopeNames(headings, apiKey.scopes)) },
        {
          name: names('expires'),
          value: <Time at={apiKey.expires_at} none={names('never')} />,
        },
        {
          name: headings('lastUsed'),
          value: <Time at={apiKey.last_used_at} none={headings('never')} />,
        },
        { name: headings('created'), value: <Time at={apiKey.created_at} none="" /> },
        { name: headings('createdBy'), value: creatorOf(headings, apiKey) },
        { name: t('creatorLimit'), value: creator && <CreatorLimit of={creator} /> },
      ]}
    />
  );
}

/** Returns the spending limits of the key's creator, for owners; null without a limit. */
function useCreatorLimits({ created_by: id }: ApiKey): PersonLimits | null {
  const isOwner = mayAs(useSignedIn().role, 'owner');
  const { data } = useQuery({
    queryKey: [...KEYS, 'creator', id],
    queryFn: ({ signal }) => {
      const params = { path: { id: id ?? '' } };
      return answerOf(api.GET('/console/api/members/{id}/limits', { params, signal }));
    },
    enabled: isOwner && id !== null,
  });
  return data === undefined || budgetsOf(data).length === 0 ? null : data;
}

const None = ({ text }: { readonly text: string }) => (
  <Text span inherit c="dimmed">
    {text}
  </Text>
);

const Time = ({ at, none }: { readonly at: string | null; readonly none: string }) =>
  at === null ? <None text={none} /> : <Moment at={at} />;
