/** The overview: balances, spend, errors and first steps. */
import { Alert, Card, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { RecentRequests } from '#requests/recent-requests.tsx';
import { type Overview, overviewQuery } from '#screens/account/account-queries.ts';
import { SpendChart } from '#screens/account/spend-chart.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { BalanceHero } from './balance-hero.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './overview.module.css';
import { overviewTexts } from './overview-texts.ts';
import { SpendStrip } from './spend-strip.tsx';
import { TopSpend } from './top-spend.tsx';

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
  // A newcomer meets the steps first, everybody else the balance.
  const { first_call_done: hasBegun } = overview;
  const steps = <FirstSteps overview={overview} />;
  return (
    <>
      {overview.account.status === 'suspended' ? (
        <Alert color="red" role="alert" title={t('suspended')} />
      ) : null}
      {hasBegun ? null : steps}
      <BalanceHero overview={overview} />
      <SpendStrip overview={overview} />
      <div className={classes['panels']}>
        <Card>
          <SpendChart
            title={t('spend')}
            aside={
              <TextLink size="sm" to="/usage">
                {t('usage')}
              </TextLink>
            }
          />
        </Card>
        <TopSpend />
      </div>
      {hasBegun ? steps : null}
      <RecentRequests
        title={t('recent')}
        rows={overview.recent_requests}
        filter={{}}
        empty={t('noRequests')}
        all={t('allRequests')}
      />
    </>
  );
}

/** A placeholder as high as the content, so that the layout does not jump. */
function OverviewPlaceholder() {
  return (
    <Stack gap="md" aria-busy>
      <Skeleton height={112} />
      <Skeleton height={148} />
      <Skeleton height={380} />
    </Stack>
  );
}
