/** All settings in force by topic, with their sources. */
import { Card, Group, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import { IconSearch, IconSettings } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { MAX_FILTER_CHARS } from '#components/search-reader.ts';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { useSettingName } from './settings/setting-names.ts';
import { groupsOf, type Setting, sourceKind } from './settings/settings-groups.ts';

const texts = defineTexts('admin-settings', {
  en: {
    how: 'Settings are read from {{file}} and cannot be edited here: save the file to apply it. If it has an error, the old settings stay in force. The environment, flags, listen, data_dir and database take effect after a restart.',
    search: 'Search',
    searchHint: 'Name, path, value or source',
    changed: 'Changed only',
    name: 'Setting',
    value: 'Value',
    source: 'Source',
    default: 'Default',
    environment: 'Environment {{name}}',
    flag: 'Flag {{name}}',
    general: 'General',
    signIn: 'Sign-in and visibility',
    requests: 'Requests and limits',
    money: 'Payments and alerts',
    monitoring: 'Monitoring',
    upstreams: 'Models and upstreams',
    unset: 'Not set',
    secret: 'Set (secret)',
    on: 'On',
    off: 'Off',
    none: 'No matching settings',
    noneHint: 'Search for part of a name, such as limits.',
  },
  zh: {
    how: '设置来自 {{file}}，不能在此编辑：保存该文件后生效。文件有误时，原设置继续生效。环境变量、命令行参数以及 listen、data_dir 和 database 在重启后生效。',
    search: '搜索',
    searchHint: '名称、路径、值或来源',
    changed: '仅显示已更改的',
    name: '设置',
    value: '值',
    source: '来源',
    default: '默认',
    environment: '环境变量 {{name}}',
    flag: '命令行 {{name}}',
    general: '通用',
    signIn: '登录与可见性',
    requests: '请求与限额',
    money: '付款与提醒',
    monitoring: '监控',
    upstreams: '模型与上游',
    unset: '未设置',
    secret: '已设置（保密）',
    on: '开启',
    off: '关闭',
    none: '没有匹配的设置',
    noneHint: '请搜索名称的一部分，例如 limits。',
  },
});

const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/settings', { signal })),
});

const route = getRouteApi('/app/admin/settings');

export function SettingsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(texts);
  const { search = '', changed = false } = route.useSearch();
  const navigate = route.useNavigate();
  const settings = useQuery(settingsQuery);
  const { data } = settings;
  return (
    <Page title={title('settings')}>
      <Group align="flex-end">
        <TextInput
          flex="1 1 240px"
          maw={420}
          label={t('search')}
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
          pb={6}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: (now) => ({ ...now, changed: checked || undefined }) })
          }
        />
      </Group>
      {data === undefined ? null : (
        <Text size="sm" c="dimmed" maw={840} style={{ overflowWrap: 'anywhere' }}>
          {t('how', { file: data.file })}
        </Text>
      )}
      {settings.error === null ? null : (
        <ApiProblem error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.isPending ? <Skeleton height={400} /> : null}
      {data === undefined ? null : <Groups {...{ settings: data.data, search, changed }} />}
    </Page>
  );
}

type GroupsProps = {
  readonly settings: readonly Setting[];
  readonly search: string;
  readonly changed: boolean;
};

function Groups({ settings, search, changed }: GroupsProps) {
  const t = useTexts(texts);
  const nameOf = useSettingName();
  const columns = useColumns(nameOf);
  const groups = groupsOf(settings, { wanted: search, onlyChanged: changed }, nameOf);
  if (groups.length === 0) {
    return (
      <Card>
        <Empty icon={IconSettings} title={t('none')}>
          {t('noneHint')}
        </Empty>
      </Card>
    );
  }
  return groups.map(({ name, settings: own }) => (
    <SectionCard key={name} title={t(name)} size="h5">
      <DataTable label={t(name)} columns={columns} rows={own} keyOf={(setting) => setting.name} />
    </SectionCard>
  ));
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
