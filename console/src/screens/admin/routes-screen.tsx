/** Channels and routes: health, margins and upstream tests. */
import { Tabs } from '@mantine/core';
import { IconCoin, IconHeartbeat, IconServer } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { oneOf } from '#api/lists.ts';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { CHANNEL_TABS } from './channels/channels-search.ts';
import { channelTexts } from './channels/channels-texts.ts';
import { HealthTab } from './channels/health-tab.tsx';
import { PricesTab } from './channels/prices-tab.tsx';
import { UpstreamsTab } from './channels/upstreams-tab.tsx';

const route = getRouteApi('/app/admin/routes');
const ICONS = { health: IconHeartbeat, prices: IconCoin, upstreams: IconServer } as const;

export function RoutesScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(channelTexts);
  const { tab = 'health', find = '', trouble = false } = route.useSearch();
  const navigate = route.useNavigate();
  const toTab = (name: string | null): void => {
    const chosen = oneOf(CHANNEL_TABS, name);
    void navigate({ search: chosen === 'health' ? {} : { tab: chosen } });
  };
  const toRoutes = (wanted: string, only: boolean): void => {
    void navigate({ search: { find: wanted, trouble: only || undefined } });
  };
  return (
    <Page title={title('routes')}>
      <Tabs value={tab} onChange={toTab} keepMounted={false}>
        <Tabs.List mb="lg">
          {CHANNEL_TABS.map((name) => {
            const Icon = ICONS[name];
            return (
              <Tabs.Tab key={name} value={name} leftSection={<Icon size={16} />}>
                {t(name)}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        <Tabs.Panel value="health">
          <HealthTab
            find={find}
            onlyTrouble={trouble}
            onFind={(text) => toRoutes(text, trouble)}
            onOnlyTrouble={(only) => toRoutes(find, only)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="prices">
          <PricesTab />
        </Tabs.Panel>
        <Tabs.Panel value="upstreams">
          <UpstreamsTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
