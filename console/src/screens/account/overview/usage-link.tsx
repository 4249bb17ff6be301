/** A link to the usage report, which shows what the chart leaves out. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { overviewTexts } from './overview-texts.ts';

export function UsageLink() {
  const t = useTexts(overviewTexts);
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/usage" {...props} />}>
      {t('usage')}
    </Anchor>
  );
}
