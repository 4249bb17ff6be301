/** Channels and routes: health, margins, upstream tests, and notices for the status page. */
import { getRouteApi } from '@tanstack/react-router';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { PageTabs } from '#components/page-tabs.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { channelTexts } from './channels/channels-texts.ts';
import { HealthTab } from './channels/health-tab.tsx';
import { PricesTab } from './channels/prices-tab.tsx';
import { UpstreamsTab } from './channels/upstreams-tab.tsx';
import { NoticesTab } from './notices/notices-tab.tsx';

const route = getRouteApi('/app/admin/routes');

export function RoutesScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(channelTexts);
  const { tab = 'health', find = '', trouble = false } = route.useSearch();
  const navigate = route.useNavigate();
  const toRoutes = (wanted: string, only: boolean): void => {
    void navigate({ search: { find: wanted, trouble: only || undefined } });
  };
  const health = (
    <HealthTab
      find={find}
      onlyTrouble={trouble}
      onFind={(text) => toRoutes(text, trouble)}
      onOnlyTrouble={(only) => toRoutes(find, only)}
    />
  );
  return (
    <Page
      title={title('routes')}
      actions={<ButtonLink to="/admin/providers/new">{t('connect')}</ButtonLink>}
    >
      <PageTabs
        value={tab}
        onChange={(name) => void navigate({ search: name === 'health' ? {} : { tab: name } })}
        tabs={[
          { name: 'health', label: t('health'), panel: health },
          { name: 'prices', label: t('prices'), panel: <PricesTab /> },
          { name: 'upstreams', label: t('upstreams'), panel: <UpstreamsTab /> },
          { name: 'notices', label: t('notices'), panel: <NoticesTab /> },
        ]}
      />
    </Page>
  );
}
