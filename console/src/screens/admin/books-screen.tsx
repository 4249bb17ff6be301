import { Page } from '../../components/page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { navigationTexts } from '../../shell/navigation.ts';

export function BooksScreen() {
  const t = useTexts(navigationTexts);
  return <Page title={t('books')}>{null}</Page>;
}
