/** A link from the spend chart to the usage report, which shows every model. */
import { TextLink } from '#components/button-link.tsx';
import { useTexts } from '#i18n/texts.ts';
import { overviewTexts } from './overview-texts.ts';

export function UsageLink() {
  const t = useTexts(overviewTexts);
  return (
    <TextLink size="sm" to="/usage">
      {t('usage')}
    </TextLink>
  );
}
