/** The page of a key: spend, limits, daily usage and recent requests. */

import { Alert, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '#api/client.ts';
import { useSignedIn } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Ago, Moment } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { budgetsOf } from '#keys/budget.ts';
import { BudgetBar } from '#keys/budget-bar.tsx';
import { KeyButtons } from '#keys/key-actions.tsx';
import { type ApiKey, SPEND_WINDOWS, type SpendWindow } from '#keys/key-form.ts';
import { keyQuery } from '#keys/key-queries.ts';
import { mayManage } from '#keys/key-state.ts';
import { KeyStatus } from '#keys/key-status.tsx';
import { keyTexts } from '#keys/key-texts.ts';
import { Money } from '#money/money.tsx';
import { RecentRequests } from '#requests/recent-requests.tsx';
import { SpendChart } from '#screens/account/spend-chart.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { KeyLimits } from './key-limits.tsx';
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
      <Skeleton height={120} />
      <Skeleton height={360} />
    </Page>
  );
}

function KeyPage({ apiKey }: { readonly apiKey: ApiKey }) {
  const title = useTexts(navigationTexts);
  const t = useTexts(keyPageTexts);
  const mayChange = mayManage(useSignedIn(), apiKey);
  const lead = (
    <Group component="span" gap="sm">
      <TextLink to="/keys">{title('keys')}</TextLink>
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
      lead={lead}
      actions={mayChange ? <KeyButtons apiKey={apiKey} /> : undefined}
    >
      <KeyNotices apiKey={apiKey} />
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', lg: 'md' }}>
        {SPEND_WINDOWS.map((window) => (
          <SpendCard key={window} apiKey={apiKey} window={window} />
        ))}
      </SimpleGrid>
      <Card>
        <SpendChart title={t('use')} keyId={apiKey.id} />
      </Card>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Card>
          <Title order={2} size="h4" mb="sm">
            {t('limits')}
          </Title>
          <KeyLimits apiKey={apiKey} />
        </Card>
        <KeyRequests keyId={apiKey.id} />
      </SimpleGrid>
    </Page>
  );
}

/** The number of recent requests on the page. */
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

/** The notices that explain why the key is refused, or how long the previous secret works. */
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

type SpendCardProps = { readonly apiKey: ApiKey; readonly window: SpendWindow };

function SpendCard({ apiKey, window }: SpendCardProps) {
  const names = useTexts(keyTexts);
  const t = useTexts(keyPageTexts);
  const budget = budgetsOf(apiKey).find((each) => each.window === window);
  const { spent, resets_at: resetsAt } = apiKey.spend[window];
  return (
    <Card>
      <Stack gap={6}>
        <Text size="sm" c="dimmed">
          {t('spent', { window: names(window) })}
        </Text>
        {budget === undefined ? (
          <Money amount={spent} currency="USD" fz="xl" fw={600} />
        ) : (
          <BudgetBar budget={budget} />
        )}
        {resetsAt === null ? null : (
          <Text size="xs" c="dimmed">
            {t('resets')} <Ago at={resetsAt} />
          </Text>
        )}
      </Stack>
    </Card>
  );
}
