import { Page } from '../../../components/page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { navigationTexts } from '../../../shell/navigation.ts';

export function OverviewScreen() {
  const t = useTexts(navigationTexts);
  return <Page title={t('overview')}>{null}</Page>;
}
