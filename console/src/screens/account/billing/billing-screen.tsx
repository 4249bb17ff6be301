/** Billing: wallets, top-ups, ledger, statements and alerts. */
import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { AlertsTab } from './alerts-tab.tsx';
import classes from './billing.module.css';
import { BILLING_TABS, type BillingTab } from './billing-search.ts';
import { billingTexts } from './billing-texts.ts';
import { LedgerTab } from './ledger-tab.tsx';
import { StatementsTab } from './statements-tab.tsx';
import { WalletsTab } from './wallets-tab.tsx';

const route = getRouteApi('/app/billing');
const PANELS: Readonly<Record<BillingTab, () => React.ReactNode>> = {
  wallets: WalletsTab,
  ledger: LedgerTab,
  statements: StatementsTab,
  alerts: AlertsTab,
};

export function BillingScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(billingTexts);
  const { tab = 'wallets' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (value: string | null): void => {
    const wanted = BILLING_TABS.find((each) => each === value) ?? 'wallets';
    void navigate({ search: wanted === 'wallets' ? {} : { tab: wanted } });
  };
  return (
    <Page title={title('billing')}>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List className={classes['tabs'] ?? ''} aria-label={t('tabs')}>
          {BILLING_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {BILLING_TABS.map((name) => {
          const Panel = PANELS[name];
          return (
            <Tabs.Panel key={name} value={name} pt="lg">
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}
