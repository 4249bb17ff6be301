/** The account's balance, on every page: amber when low, red when empty, linked to billing. */
import { Skeleton, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Wallet, walletsQuery } from '#api/wallets.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import classes from '#shell/shell.module.css';
import { levelOf, shownWallets } from './balance-level.ts';

const texts = defineTexts('balance', {
  en: {
    label: 'Balance',
    low: 'Low balance',
    empty: 'No balance available',
    topUp: 'Top up',
    detail: '{{available}} {{currency}} available',
    held: '{{held}} {{currency}} held for running requests',
  },
  zh: {
    label: '余额',
    low: '余额偏低',
    empty: '无可用余额',
    topUp: '去充值',
    detail: '可用 {{available}} {{currency}}',
    held: '为进行中的请求预扣：{{held}} {{currency}}',
  },
});
const ICON_PX = 14;

export function Balance() {
  const t = useTexts(texts);
  const { data } = useQuery(walletsQuery);
  const wallets = data === undefined ? undefined : shownWallets(data.data);
  const levels = wallets?.map(levelOf) ?? [];
  const worst =
    levels.find((level) => level === 'empty') ?? levels.find((level) => level === 'low');
  return (
    <>
      <VisuallyHidden role="status">{worst === undefined ? '' : t(worst)}</VisuallyHidden>
      {wallets === undefined ? (
        <Skeleton width={84} height={32} />
      ) : (
        <Tooltip label={wallets.map((wallet) => <Detail key={wallet.currency} wallet={wallet} />)}>
          <Link to="/billing" className={classes['balance']}>
            <IconWallet size={ICON_PX} aria-hidden />
            <VisuallyHidden>{t('label')}</VisuallyHidden>
            {wallets.map((wallet) => (
              <Available key={wallet.currency} wallet={wallet} />
            ))}
          </Link>
        </Tooltip>
      )}
    </>
  );
}

function Available({ wallet }: { readonly wallet: Wallet }) {
  const t = useTexts(texts);
  const level = levelOf(wallet);
  return (
    <span className={classes['amount']} data-level={level}>
      {level === 'fine' ? null : <IconAlertTriangle size={ICON_PX} aria-hidden />}
      {withCurrency(formatShort(parseAmount(wallet.balance)), wallet.currency)}
      {level === 'fine' ? null : <VisuallyHidden>{t(level)}</VisuallyHidden>}
      {level === 'empty' ? (
        <Text span inherit fw={600} visibleFrom="sm">
          {t('topUp')}
        </Text>
      ) : null}
    </span>
  );
}

/** The exact figures of a wallet. */
function Detail({ wallet }: { readonly wallet: Wallet }) {
  const t = useTexts(texts);
  const level = levelOf(wallet);
  const exact = (amount: string): string => formatExact(parseAmount(amount));
  const { currency, available, held } = wallet;
  const lines = [
    ...(level === 'fine' ? [] : [t(level)]),
    t('detail', { available: exact(available), currency }),
    ...(parseAmount(held) === 0n ? [] : [t('held', { held: exact(held), currency })]),
  ];
  return lines.map((line) => <div key={line}>{line}</div>);
}
