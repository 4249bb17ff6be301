/** A link that downloads all pages of a list as a CSV file from the API. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('csv-link', {
  en: { csv: 'Download CSV' },
  zh: { csv: '下载 CSV' },
});

export type CsvLinkProps = {
  /** The URL of the file, including the filters of the list. */
  readonly href: string;
};

export function CsvLink({ href }: CsvLinkProps) {
  const t = useTexts(texts);
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {t('csv')}
    </Button>
  );
}
