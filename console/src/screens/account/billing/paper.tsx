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

export type PaperProps = {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** The tab of the billing page that this document belongs to. */
  readonly tab: BillingTab;
  readonly children: ReactNode;
};

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
      <Page
        title={title}
        actions={
          <>
            <ButtonLink variant="default" to="/billing" search={tab === 'wallets' ? {} : { tab }}>
              {t('back')}
            </ButtonLink>
            <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
              {t('print')}
            </Button>
          </>
        }
      >
        <Card>
          <Stack gap="lg">
            <FactGrid facts={[...parties, ...facts]} cols={{ base: 1, xs: 2 }} />
            {children}
          </Stack>
        </Card>
      </Page>
    </Stack>
  );
}
