/** The hero of the overview: the live balance of each wallet, and how long the balance lasts. */
import { Card, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Wallet, walletsQuery } from '#api/wallets.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { Status } from '#components/status.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import type { Overview } from '#screens/account/account-queries.ts';
import { levelOf, shownWallets } from '#shell/header/balance-level.ts';
import classes from './overview.module.css';
import { overviewTexts } from './overview-texts.ts';

export function BalanceHero({ overview }: { readonly overview: Overview }) {
  const t = useTexts(overviewTexts);
  // The header polls the balances. Until its first response, this page shows those of the overview.
  const { data: live = { data: overview.wallets } } = useQuery(walletsQuery);
  const mayTopUp = mayAs(useSignedIn().role, 'owner');
  const { runway_currency: first } = overview;
  // The wallet that is used up first is the one to look at.
  const wallets = shownWallets(live.data).toSorted(
    (a, b) => Number(b.currency === first) - Number(a.currency === first),
  );
  const isFine = wallets.every((wallet) => levelOf(wallet) === 'fine');
  return (
    <Card component="section" aria-label={t('balances')} className={classes['hero'] ?? ''}>
      {wallets.map((wallet, at) => (
        <WalletFigure key={wallet.currency} wallet={wallet} overview={overview} isHero={at === 0} />
      ))}
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
      <Text size="sm" c="dimmed">
        {t('balance', { currency })}
      </Text>
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
/** A runway below this is highlighted, since a top-up may take days to be approved. */
const SHORT_DAYS = 7;

function Runway({ overview: { runway_days: days } }: { readonly overview: Overview }) {
  const t = useTexts(overviewTexts);
  if (days === null) return <span>{t('runwayNone')}</span>;
  if (days > YEAR_DAYS) return <span>{t('runwayLong')}</span>;
  const text = days === 0 ? t('runwayToday') : t('runway', { count: days });
  return days < SHORT_DAYS ? <Status tone="attention">{text}</Status> : <span>{text}</span>;
}
