/** What a table shows, as a file. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { type CsvCell, csvText } from './csv.ts';
import { reportTexts } from './report-texts.ts';

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
      onClick={() => save(name, csvText(rows()))}
    >
      {t('csv')}
    </Button>
  );
}

function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has its own copy by then.
  URL.revokeObjectURL(address);
}
