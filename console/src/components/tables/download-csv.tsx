/** A button that downloads a displayed table as a CSV file. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '#components/save-file.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { type CsvCell, csvText } from './csv.ts';

const texts = defineTexts('download-csv', {
  en: { csv: 'Download CSV' },
  zh: { csv: '下载 CSV' },
});
const CSV = 'text/csv;charset=utf-8';

export type DownloadCsvProps = {
  readonly name: string;
  /** Returns the headings, then the rows. Called when the button is pressed. */
  readonly rows: () => readonly (readonly CsvCell[])[];
};

export function DownloadCsv({ name, rows }: DownloadCsvProps) {
  const t = useTexts(texts);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => saveFile({ name, type: CSV, content: csvText(rows()) })}
    >
      {t('csv')}
    </Button>
  );
}
