/** What a table shows, as a file. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../../components/save-file.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type CsvCell, csvText } from './csv.ts';
import { reportTexts } from './report-texts.ts';

const CSV = 'text/csv;charset=utf-8';

export type DownloadCsvProps = {
  readonly name: string;
  /** Asked for when the button is pressed; the headings first. */
  readonly rows: () => readonly (readonly CsvCell[])[];
  readonly disabled?: boolean;
};

export function DownloadCsv({ name, rows, disabled = false }: DownloadCsvProps) {
  const t = useTexts(reportTexts);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      disabled={disabled}
      onClick={() => saveFile({ name, type: CSV, content: csvText(rows()) })}
    >
      {t('csv')}
    </Button>
  );
}
