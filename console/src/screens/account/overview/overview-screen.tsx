/** The overview: balances, spend, errors and first steps. */
import { Alert, Card, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { RecentRequests } from '#requests/recent-requests.tsx';
import { type Overview, overviewQuery } from '#screens/account/account-queries.ts';
import { SpendChart } from '#screens/account/spend-chart.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { BalanceCards } from './balance-cards.tsx';
import { FirstSteps } from './first-steps.tsx';
import { overviewTexts } from './overview-texts.ts';
import { SpendCards } from './spend-cards.tsx';
import { UsageLink } from './usage-link.tsx';

export function OverviewScreen() {
  const title = useTexts(navigationTexts);
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <Page title={title('overview')}>
      {error === null || data !== undefined ? (
        <OverviewBody overview={data} />
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function OverviewBody({ overview }: { readonly overview: Overview | undefined }) {
  const t = useTexts(overviewTexts);
  if (overview === undefined) return <OverviewPlaceholder />;
  return (
    <Stack gap="lg">
      {overview.account.status === 'suspended' ? (
        <Alert color="red" role="alert" title={t('suspended')} />
      ) : null}
      {overview.first_call_done ? null : <FirstSteps />}
      <BalanceCards overview={overview} />
      <SpendCards overview={overview} />
      <Card>
        <SpendChart title={t('spend')} aside={<UsageLink />} />
      </Card>
      <RecentRequests
        title={t('errors')}
        rows={overview.recent_errors}
        filter={{ status: 'failed' }}
        empty={t('noErrors')}
        all={t('allErrors')}
      />
    </Stack>
  );
}

/** A placeholder as high as the content, so that the layout does not jump. */
function OverviewPlaceholder() {
  return (
    <Stack gap="lg" aria-busy>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Skeleton height={128} />
        <Skeleton height={128} />
        <Skeleton height={128} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Skeleton height={120} />
        <Skeleton height={120} />
        <Skeleton height={120} />
        <Skeleton height={120} />
      </SimpleGrid>
      <Skeleton height={360} />
    </Stack>
  );
}
