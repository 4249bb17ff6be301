/**
 * Shows what needs the operator's attention: failing routes, overruns, low balances, new people.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextLink } from '#components/button-link.tsx';
import classes from '#components/rows.module.css';
import { SectionCard } from '#components/section-card.tsx';
import { Status, type Tone } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { routesQuery } from '#screens/admin/channels/channel-queries.ts';
import { homeTexts } from './home-texts.ts';
import { failingRoutes, type Summary } from './summary.ts';

export function Attention({ summary }: { readonly summary: Summary }) {
  const t = useTexts(homeTexts);
  const routes = useQuery(routesQuery).data?.data;
  const link = { inherit: true, c: 'inherit' } as const;
  return (
    <SectionCard title={t('attention')} size="h5">
      <ul className={classes['rows']}>
        <Row figure={routes && failingRoutes(routes)} tone="bad">
          <TextLink {...link} to="/admin/routes" search={{ trouble: true }}>
            {t('failing')}
          </TextLink>
        </Row>
        <Row figure={summary.failed_backups} tone="bad">
          <TextLink {...link} to="/admin/books">
            {t('backups')}
          </TextLink>
        </Row>
        <Row figure={summary.overruns} tone="attention">
          <TextLink {...link} to="/admin/books">
            {t('overruns')}
          </TextLink>
        </Row>
        <Row figure={summary.low_wallets} tone="attention">
          <TextLink {...link} to="/admin/accounts">
            {t('low')}
          </TextLink>
          <LowWallets summary={summary} />
        </Row>
        <Row figure={summary.new_accounts} tone="quiet">
          <TextLink {...link} to="/admin/accounts">
            {t('accounts')}
          </TextLink>
        </Row>
        <Row figure={summary.new_people} tone="quiet">
          <TextLink {...link} to="/admin/people">
            {t('people')}
          </TextLink>
        </Row>
      </ul>
    </SectionCard>
  );
}

type RowProps = {
  /** The number to show; undefined while loading. */
  readonly figure: number | undefined;
  /** The tone in which the number is shown, unless the number is zero. */
  readonly tone: Tone;
  readonly children: ReactNode;
};

function Row({ figure, tone, children }: RowProps) {
  const { count } = useFormats();
  return (
    <li>
      <div>{children}</div>
      {figure === undefined ? (
        '–'
      ) : figure === 0 || tone === 'quiet' ? (
        <Text inherit c={figure === 0 ? 'dimmed' : 'var(--mantine-color-text)'}>
          {count(figure)}
        </Text>
      ) : (
        <Status tone={tone}>{count(figure)}</Status>
      )}
    </li>
  );
}

/** The first few wallets with a low balance, each as a link to its account. */
function LowWallets({ summary: { first_low_wallets: wallets } }: { readonly summary: Summary }) {
  return wallets.map(({ account_id: id, name, currency }) => (
    <TextLink
      key={`${id}/${currency}`}
      to="/admin/accounts/$id"
      params={{ id }}
      size="xs"
      c="dimmed"
      truncate
      display="block"
    >
      {`${name} · ${currency}`}
    </TextLink>
  ));
}
