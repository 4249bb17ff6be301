/** A printable document: its issuer, its account, its details, and a button that prints it. */

import { Button, Card, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { useSignedIn } from '#api/session.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { type Fact, FactGrid } from '#components/facts.tsx';
import { Page } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './billing.module.css';
import type { BillingTab } from './billing-search.ts';

const texts = defineTexts('paper', {
  en: {
    print: 'Print',
    back: 'Back to billing',
    issuer: 'Issued by',
    account: 'Account',
  },
  zh: { print: '打印', back: '返回账单', issuer: '开具方', account: '账户' },
});

export type PaperPageProps = {
  readonly title: string;
  /** The tab of the billing page that this document belongs to. */
  readonly tab: BillingTab;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** The page of a document, with a link back. The document may be loading or missing. */
export function PaperPage({ title, tab, actions, children }: PaperPageProps) {
  const t = useTexts(texts);
  return (
    <Page
      title={title}
      actions={
        <>
          <ButtonLink variant="default" to="/billing" search={tab === 'wallets' ? {} : { tab }}>
            {t('back')}
          </ButtonLink>
          {actions}
        </>
      }
    >
      {children}
    </Page>
  );
}

export type PaperProps = Omit<PaperPageProps, 'actions'> & { readonly facts: readonly Fact[] };

export function Paper({ title, facts, tab, children }: PaperProps) {
  const t = useTexts(texts);
  const { account } = useSignedIn();
  const address = useGatewayAddress();
  const parties = [
    { name: t('issuer'), value: address.replace(/^https?:\/\//, '') },
    {
      name: t('account'),
      value: (
        <>
          {account.name}
          <Text span inherit c="dimmed">
            {` · ${account.id}`}
          </Text>
        </>
      ),
    },
  ];
  return (
    <Stack className={classes['paper'] ?? ''}>
      <PaperPage
        title={title}
        tab={tab}
        actions={
          <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
            {t('print')}
          </Button>
        }
      >
        <Card>
          <Stack gap="lg">
            <FactGrid facts={[...parties, ...facts]} cols={{ base: 1, xs: 2 }} />
            {children}
          </Stack>
        </Card>
      </PaperPage>
    </Stack>
  );
}
