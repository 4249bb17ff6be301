/**
 * The settings by topic. If they are in the database, the page has forms; otherwise it lists all
 * current values with their sources.
 */
import { Card, Group, Switch, Text, TextInput } from '@mantine/core';
import { IconSearch, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { MAX_FILTER_CHARS } from '#components/search-reader.ts';
import { CardSkeleton, SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { fieldsQuery, type SettingField, settingsQuery } from './settings/config-queries.ts';
import { isChanged, pathOf } from './settings/setting-edits.ts';
import { settingHelp } from './settings/setting-help.ts';
import { topicTexts, useSettingName } from './settings/setting-names.ts';
import { SettingsForm } from './settings/settings-form.tsx';
import { groupsOf, isFound, type Setting, sourceKind } from './settings/settings-groups.ts';

const texts = defineTexts('admin-settings', {
  en: {
    how: 'Settings are read from {{file}} and cannot be edited here. Changes apply when you save that file. If the file has an error, the previous settings stay in effect. Changes to environment variables, command-line flags and some settings, such as “listen”, need a restart.',
    inFile:
      'Each node reads these settings from {{file}} when it starts, so changes need a restart. All other settings are kept in the database.',
    awaits_one: '{{count}} changed setting waits for a restart of this node.',
    awaits_other: '{{count}} changed settings wait for a restart of this node.',
    search: 'Search',
    searchHint: 'Name, path, value or source',
    changed: 'Changed only',
    name: 'Setting',
    value: 'Value',
    source: 'Source',
    default: 'Default',
    environment: 'Environment {{name}}',
    flag: 'Flag {{name}}',
    unset: 'Not set',
    secret: 'Set (secret)',
    on: 'On',
    off: 'Off',
    none: 'No matching settings',
    noneHint: 'Search for part of a name, such as “limits”.',
  },
  zh: {
    how: '设置来自 {{file}}，不能在此编辑：保存该文件后生效。文件有误时，原设置继续生效。环境变量、命令行参数以及“listen”等部分设置在重启后生效。',
    inFile:
      '每个节点启动时从 {{file}} 读取以下设置，因此更改在重启后生效。其余设置保存在数据库中。',
    awaits_one: '{{count}} 项已更改的设置等待此节点重启。',
    awaits_other: '{{count}} 项已更改的设置等待此节点重启。',
    search: '搜索',
    searchHint: '名称、路径、值或来源',
    changed: '仅显示已更改的',
    name: '设置',
    value: '值',
    source: '来源',
    default: '默认',
    environment: '环境变量 {{name}}',
    flag: '命令行参数 {{name}}',
    unset: '未设置',
    secret: '已设置（保密）',
    on: '开启',
    off: '关闭',
    none: '没有匹配的设置',
    noneHint: '请搜索名称的一部分，例如“limits”。',
  },
});

const route = getRouteApi('/app/admin/settings');

export function SettingsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(texts);
  const { search = '', changed = false } = route.useSearch();
  const navigate = route.useNavigate();
  const settings = useQuery(settingsQuery);
  const fields = useQuery(fieldsQuery);
  const isPending = settings.isPending || fields.isPending;
  const error = settings.error ?? fields.error;
  const retry = () => void Promise.all([settings.refetch(), fields.refetch()]);
  return (
    <Page title={title('settings')}>
      <Group>
        <TextInput
          flex="1 1 240px"
          maw={420}
          aria-label={t('search')}
          placeholder={t('searchHint')}
          leftSection={<IconSearch size={16} />}
          value={search}
          maxLength={MAX_FILTER_CHARS}
          data-page-filter
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: (now) => ({ ...now, search: value }), replace: true })
          }
        />
        <Switch
          label={t('changed')}
          checked={changed}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: (now) => ({ ...now, changed: checked || undefined }) })
          }
        />
      </Group>
      {error === null ? null : <ApiProblem error={error} onRetry={retry} />}
      {isPending ? [320, 480, 640].map((h) => <CardSkeleton key={h} height={h} />) : null}
      {settings.data === undefined || fields.data === undefined ? null : (
        <Settings
          {...{ search, changed }}
          file={settings.data.file}
          settings={settings.data.data}
          revision={fields.data.revision}
          fields={fields.data.data}
        />
      )}
    </Page>
  );
}

type SettingsProps = {
  readonly file: string;
  readonly settings: readonly Setting[];
  readonly fields: readonly SettingField[];
  /** The newest revision; null if the settings are in the file. */
  readonly revision: number | null;
  readonly search: string;
  readonly changed: boolean;
};

/** The sections in the database that have their own pages. */
const ELSEWHERE = ['upstreams', 'models', 'price_lists', 'calendars', 'brand'];

function Settings({ file, settings, fields, revision, search, changed }: SettingsProps) {
  const t = useTexts(texts);
  const help = useTexts(settingHelp);
  const nameOf = useSettingName();
  if (revision === null) {
    const groups = groupsOf(settings, { wanted: search, onlyChanged: changed }, nameOf);
    return (
      <>
        <Note>{t('how', { file })}</Note>
        <Groups groups={groups} />
      </>
    );
  }
  const stored = new Set([...ELSEWHERE, ...fields.map(({ keys }) => keys[0])]);
  const start = settings.filter(({ name }) => !stored.has(name.split('.')[0]));
  const groups = groupsOf(start, { wanted: search, onlyChanged: changed }, nameOf);
  const isWanted = (field: SettingField): boolean => {
    const path = pathOf(field);
    const about = hasText(settingHelp, path) ? help(path) : '';
    const text = `${nameOf(path)} ${path} ${about} ${field.value ?? field.default ?? ''}`;
    return (!changed || isChanged(field, field.value)) && isFound(search, text);
  };
  const waiting = fields.filter((field) => field.awaits_restart).length;
  const isEmpty = groups.length === 0 && !fields.some(isWanted);
  return (
    <>
      {waiting === 0 ? null : <Status tone="attention">{t('awaits', { count: waiting })}</Status>}
      <SettingsForm {...{ fields, revision, isWanted }} />
      {groups.length === 0 && !isEmpty ? null : (
        <Groups groups={groups} note={t('inFile', { file })} />
      )}
    </>
  );
}

const Note = ({ children }: { readonly children: string }) => (
  <Text variant="note" maw={840} style={{ overflowWrap: 'anywhere' }}>
    {children}
  </Text>
);

type GroupsProps = { readonly groups: ReturnType<typeof groupsOf>; readonly note?: string };

function Groups({ groups, note }: GroupsProps) {
  const t = useTexts(texts);
  const topic = useTexts(topicTexts);
  const columns = useColumns(useSettingName());
  if (groups.length === 0) {
    return (
      <Card>
        <Empty icon={IconSettings} title={t('none')}>
          {t('noneHint')}
        </Empty>
      </Card>
    );
  }
  return (
    <>
      {note === undefined ? null : <Note>{note}</Note>}
      {groups.map(({ name, settings: own }) => (
        <SectionCard key={name} title={topic(name)} size="h5">
          <DataTable
            isEven
            label={topic(name)}
            columns={columns}
            rows={own}
            keyOf={(setting) => setting.name}
          />
        </SectionCard>
      ))}
    </>
  );
}

function useColumns(nameOf: (path: string) => string): readonly Column<Setting>[] {
  const t = useTexts(texts);
  const sourceOf = (source: string): string => {
    const kind = sourceKind(source);
    if (kind === 'default') return t('default');
    return kind === 'file' ? source : t(kind, { name: source.replace(/^\w+ /, '') });
  };
  return [
    {
      name: 'name',
      heading: t('name'),
      cell: ({ name }) => (
        <>
          {nameOf(name)}{' '}
          <Text span c="dimmed" ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
        </>
      ),
      value: ({ name }) => nameOf(name),
    },
    {
      name: 'value',
      heading: t('value'),
      cell: ({ value }) => <Value value={value} />,
      value: ({ value }) => value,
    },
    {
      name: 'source',
      heading: t('source'),
      cell: ({ source }) => (
        <Text span inherit {...(source === 'default' ? { c: 'dimmed' } : {})}>
          {sourceOf(source)}
        </Text>
      ),
      value: ({ source }) => sourceOf(source),
    },
  ];
}

const WORDS = { '-': 'unset', '***': 'secret', true: 'on', false: 'off' } as const;

function Value({ value }: { readonly value: string }) {
  const t = useTexts(texts);
  const word = Object.entries(WORDS).find(([written]) => written === value)?.[1];
  return (
    <Text
      span
      inherit
      {...(value === '-' ? { c: 'dimmed' } : {})}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
    >
      {word === undefined ? value : t(word)}
    </Text>
  );
}
