/** A link from the spend chart to the usage report, which shows every model. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '#i18n/texts.ts';
import { overviewTexts } from './overview-texts.ts';

export function UsageLink() {
  const t = useTexts(overviewTexts);
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/usage" {...props} />}>
      {t('usage')}
    </Anchor>
  );
}
