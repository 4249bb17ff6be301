/** The overview: balances, spend, errors and first steps. */
import { Alert, Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Wallet, walletsQuery } from '#api/wallets.ts';
import { useModelSlots } from '#catalogue/model-colors.ts';
import { ALL_COLOR, colorOf } from '#charts/palette.ts';
import { daysUntil } from '#charts/stack.ts';
import { TopList } from '#charts/top-list.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { CardSkeleton, SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { useTexts } from '#i18n/texts.ts';
import { budgetsOf } from '#keys/budget.ts';
import { BudgetBar } from '#keys/budget-bar.tsx';
import { useKeyNames } from '#keys/key-names.ts';
import { formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { RecentRequests } from '#requests/recent-requests.tsx';
import { type Overview, overviewQuery } from '#screens/account/account-queries.ts';
import { SpendChart } from '#screens/account/spend-chart.tsx';
import { usageByKeyQuery, usageByModelQuery } from '#screens/account/usage-queries.ts';
import { levelOf, shownWallets } from '#shell/header/balance-level.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { FirstSteps } from './first-steps.tsx';
import classes from './overview.module.css';
import { overviewTexts } from './overview-texts.ts';
import { SpendStrip } from './spend-strip.tsx';
import { topOf } from './trend.ts';

export function OverviewScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(overviewTexts);
  const mayCreate = mayAs(useSignedIn().role, 'member');
  const { data, error, refetch } = useQuery(overviewQuery);
  const create = (
    <ButtonLink variant="default" to="/keys" search={{ new: true }}>
      {t('createKey')}
    </ButtonLink>
  );
  return (
    <Page title={title('overview')} actions={mayCreate ? create : undefined}>
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
  // Until a request has completed, the checklist of first steps comes before the balance.
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
      <CardSkeleton height={112} />
      <CardSkeleton height={148} />
      <div className={classes['panels']}>
        <CardSkeleton height={344} />
        <div className={classes['tops']}>
          <CardSkeleton height={164} />
          <CardSkeleton height={164} />
        </div>
      </div>
    </Stack>
  );
}

/** The main card of the overview: the live balance of each wallet, and how long it lasts. */
function BalanceHero({ overview }: { readonly overview: Overview }) {
  const t = useTexts(overviewTexts);
  // The page header polls the balances. Until the first response, the balances that came with the
  // overview are shown.
  const { data: live = { data: overview.wallets } } = useQuery(walletsQuery);
  const mayTopUp = mayAs(useSignedIn().role, 'owner');
  const { runway_currency: first } = overview;
  // The wallet that runs out first comes first.
  const wallets = shownWallets(live.data).toSorted(
    (a, b) => Number(b.currency === first) - Number(a.currency === first),
  );
  const isFine = wallets.every((wallet) => levelOf(wallet) === 'fine');
  return (
    <Card component="section" aria-label={t('balances')} className={classes['hero'] ?? ''}>
      {wallets.map((wallet, at) => (
        <WalletFigure key={wallet.currency} wallet={wallet} overview={overview} isHero={at === 0} />
      ))}
      {overview.member === null ? null : (
        <Stack gap="xs">
          <Text variant="note">{t('ownLimit')}</Text>
          {budgetsOf(overview.member).map((budget) => (
            <BudgetBar key={budget.window} budget={budget} />
          ))}
        </Stack>
      )}
      {mayTopUp ? (
        <ButtonLink
          to="/billing"
          variant={isFine ? 'default' : 'filled'}
          className={classes['topUp'] ?? ''}
        >
          {t('topUp')}
        </ButtonLink>
      ) : null}
    </Card>
  );
}

type WalletFigureProps = {
  readonly wallet: Wallet;
  readonly overview: Overview;
  readonly isHero: boolean;
};

function WalletFigure({ wallet, overview, isHero }: WalletFigureProps) {
  const t = useTexts(overviewTexts);
  const { balance, held, currency } = wallet;
  const level = levelOf(wallet);
  return (
    <div>
      <Text variant="note">{t('balance', { currency })}</Text>
      <Money
        amount={balance}
        currency={currency}
        fz={isHero ? 'hero' : 'xl'}
        lh={isHero ? 1.25 : 2}
        fw={600}
      />
      <div className={classes['states']}>
        {level === 'fine' ? null : (
          <Status tone={level === 'empty' ? 'bad' : 'attention'}>{t(level)}</Status>
        )}
        {isHero ? <Runway overview={overview} /> : null}
        {parseAmount(held) === 0n ? null : (
          <span>
            {t('held', { amount: withCurrency(formatShort(parseAmount(held)), currency) })}
          </span>
        )}
      </div>
    </div>
  );
}

const YEAR_DAYS = 365;
/** A balance that lasts fewer days than this is highlighted, since a top-up may take days. */
const SHORT_DAYS = 7;

function Runway({ overview: { runway_days: days } }: { readonly overview: Overview }) {
  const t = useTexts(overviewTexts);
  if (days === null) return <span>{t('runwayNone')}</span>;
  if (days > YEAR_DAYS) return <span>{t('runwayLong')}</span>;
  const text = days === 0 ? t('runwayToday') : t('runway', { count: days });
  return days < SHORT_DAYS ? <Status tone="attention">{text}</Status> : <span>{text}</span>;
}

const DAYS = 30;
const SHOWN = 3;

/** The models and keys with the highest spend of the last 30 days. */
function TopSpend() {
  const t = useTexts(overviewTexts);
  const days = daysUntil(Date.now(), DAYS);
  const models = useQuery(usageByModelQuery(days));
  const keys = useQuery(usageByKeyQuery(days));
  const keyNames = useKeyNames();
  const slots = useModelSlots();
  return (
    <div className={classes['tops']}>
      <SectionCard title={t('topModels')} query={models}>
        <TopList
          expected={SHOWN}
          shares={models.data && topOf(models.data, ({ model }) => model, SHOWN)}
          empty={t('noSpend')}
          colorOf={(model) => colorOf(slots, model)}
          nameOf={(id) => (
            <TextLink to="/models/$id" params={{ id }} c="inherit" inherit truncate>
              {id}
            </TextLink>
          )}
        />
      </SectionCard>
      <SectionCard title={t('topKeys')} query={keys}>
        <TopList
          expected={SHOWN}
          shares={keys.data && topOf(keys.data, ({ key_id: id }) => id, SHOWN)}
          empty={t('noSpend')}
          colorOf={() => ALL_COLOR}
          nameOf={(id) => (
            <TextLink to="/keys/$id" params={{ id }} c="inherit" inherit truncate>
              {keyNames.get(id) ?? id}
            </TextLink>
          )}
        />
      </SectionCard>
    </div>
  );
}
