/** The line above a table: a summary or the selection, then saved views, columns and export. */
import { Group, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { saveFile } from '#components/save-file.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import type { Column } from './column.ts';
import { csvText, fileName, jsonLines } from './csv.ts';
import classes from './table.module.css';
import { NO_CHOICE, type TableChoice, useIsPhone } from './table-choice.ts';
import { ToolButton } from './tool-button.tsx';
import { ViewsMenu } from './views-menu.tsx';

const texts = defineTexts('table-tools', {
  en: {
    columns: 'Columns',
    sort: 'Sort by',
    given: 'Default order',
    descending: '{{name}}, descending',
    reset: 'Reset columns and sort',
    download: 'Download',
    csv: 'CSV',
    jsonl: 'JSON Lines',
  },
  zh: {
    columns: '列',
    sort: '排序',
    given: '默认顺序',
    descending: '{{name}}（降序）',
    reset: '恢复默认列与排序',
    download: '下载',
    csv: 'CSV',
    jsonl: 'JSON Lines',
  },
});

/**
 * The file to download. `file`: the parts of the name of a file that the page creates from the
 * shown rows. `href`: the API's URL for the whole list, to which the page appends the format.
 */
export type Download = { readonly file: readonly string[] } | { readonly href: string };

export type TableToolsProps<Row> = {
  /**
   * The name under which the chosen columns and sort order are saved; undefined to offer no choice.
   */
  readonly name: string | undefined;
  readonly choice: TableChoice<Row>;
  /** All columns, including those that are not shown. */
  readonly all: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly canSort: boolean;
  readonly download: Download | undefined;
  readonly hasViews: boolean;
  /** The content at the start of the line. */
  readonly children: ReactNode;
};

export function TableTools<Row>(props: TableToolsProps<Row>) {
  const { name, download, hasViews, children } = props;
  if (name === undefined && download === undefined && children == null) return null;
  return (
    <Group className={classes['tools'] ?? ''} justify="space-between" gap="xs">
      <div>{children}</div>
      <Group gap={0} wrap="nowrap" ml="auto">
        {hasViews && name !== undefined ? <ViewsMenu list={name} /> : null}
        {name === undefined ? null : <ColumnsMenu {...props} />}
        {download === undefined ? null : <DownloadMenu {...props} download={download} />}
      </Group>
    </Group>
  );
}

function ColumnsMenu<Row>({ all, choice, canSort }: TableToolsProps<Row>) {
  const t = useTexts(texts);
  const isPhone = useIsPhone();
  const isShown = ({ name }: Column<Row>): boolean =>
    choice.columns.some((column) => column.name === name);
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ToolButton icon={IconAdjustmentsHorizontal} label={t('columns')} />
      </Menu.Target>
      <Menu.Dropdown className={classes['choices'] ?? ''}>
        {/* On a phone there are no headings to press, so the menu sorts. */}
        {isPhone && canSort ? <SortItems all={all} choice={choice} /> : null}
        {all.slice(1).map((column) => (
          <Menu.CheckboxItem
            key={column.name}
            checked={isShown(column)}
            onChange={(is) => choice.choose({ shown: { ...choice.shown, [column.name]: is } })}
          >
            {column.heading}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item closeMenuOnClick onClick={() => choice.choose(NO_CHOICE)}>
          {t('reset')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const DESCENDING = ' descending';

function SortItems<Row>({ all, choice }: Pick<TableToolsProps<Row>, 'all' | 'choice'>) {
  const t = useTexts(texts);
  const { sort, choose } = choice;
  const value = sort === null ? '' : `${sort.column}${sort.isDescending ? DESCENDING : ''}`;
  const onChange = (chosen: string): void => {
    const isDescending = chosen.endsWith(DESCENDING);
    const column = isDescending ? chosen.slice(0, -DESCENDING.length) : chosen;
    choose({ sort: column === '' ? null : { column, isDescending } });
  };
  return (
    <>
      <Menu.Label>{t('sort')}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={onChange}>
        <Menu.RadioItem value="">{t('given')}</Menu.RadioItem>
        {all
          .filter((column) => column.value !== undefined)
          .flatMap(({ name, heading }) => [
            <Menu.RadioItem key={name} value={name}>
              {heading}
            </Menu.RadioItem>,
            <Menu.RadioItem key={`${name}${DESCENDING}`} value={`${name}${DESCENDING}`}>
              {t('descending', { name: heading })}
            </Menu.RadioItem>,
          ])}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Label>{t('columns')}</Menu.Label>
    </>
  );
}

type DownloadMenuProps<Row> = Pick<TableToolsProps<Row>, 'choice' | 'rows'> & {
  readonly download: Download;
};

const FORMATS = ['csv', 'jsonl'] as const;

/** Downloads the shown rows and columns, or all pages of the list from the API. */
function DownloadMenu<Row>({ download, choice, rows }: DownloadMenuProps<Row>) {
  const t = useTexts(texts);
  const columns = choice.columns.filter((column) => column.value !== undefined);
  const cells = () => rows.map((row) => columns.map(({ value }) => value?.(row) ?? null));
  const save = (parts: readonly string[], format: (typeof FORMATS)[number]): void => {
    const headings = columns.map(({ heading }) => heading);
    const names = columns.map(({ name }) => name);
    saveFile({
      name: `${fileName(...parts)}.${format}`,
      type: format === 'csv' ? 'text/csv;charset=utf-8' : 'application/jsonl',
      content: format === 'csv' ? csvText([headings, ...cells()]) : jsonLines(names, cells()),
    });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ToolButton icon={IconDownload} label={t('download')} />
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) =>
          'href' in download ? (
            <Menu.Item
              key={format}
              component="a"
              href={`${download.href}${download.href.includes('?') ? '&' : '?'}format=${format}`}
              download
            >
              {t(format)}
            </Menu.Item>
          ) : (
            <Menu.Item key={format} onClick={() => save(download.file, format)}>
              {t(format)}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
