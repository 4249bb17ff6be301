/** All settings in force with their sources, and how to change a setting. */
import { Alert, Badge, Card, Code, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle, IconSearch, IconSettings } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { MAX_FILTER_CHARS } from '#components/search-reader.ts';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import {
  groupsOf,
  type Setting,
  type SettingsGroup,
  type SourceKind,
  sourceKind,
} from './settings/settings-groups.ts';

const texts = defineTexts('admin-settings', {
  en: {
    how: 'How to change settings',
    howText:
      'Edit and save {{file}}. The gateway reloads the file immediately, or on SIGHUP. If the file has an error, the old settings stay in force and the log names the line. Values from the environment or from flags, and listen, data_dir and database, take effect after a restart.',
    search: 'Search',
    searchHint: 'Name, value or source',
    name: 'Setting',
    value: 'Value',
    source: 'Source',
    default: 'Default',
    environment: 'Environment',
    flag: 'Flag',
    file: 'File',
    group: 'Settings: {{name}}',
    general: 'General',
    none: 'No matching settings',
    noneHint: 'Search for part of a name, such as limits.',
  },
  zh: {
    how: '如何更改设置',
    howText:
      '编辑并保存 {{file}} 后，网关会立即（或在收到 SIGHUP 时）重新加载该文件。如果文件有误，原设置继续生效，日志会指出出错的行。来自环境变量或命令行参数的值，以及 listen、data_dir 和 database，在重启后才会生效。',
    search: '搜索',
    searchHint: '名称、值或来源',
    name: '设置',
    value: '值',
    source: '来源',
    default: '默认',
    environment: '环境变量',
    flag: '命令行',
    file: '文件',
    group: '{{name}} 的设置',
    general: '通用',
    none: '没有匹配的设置',
    noneHint: '请搜索名称的一部分，例如 limits。',
  },
});

const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/settings', { signal })),
});

const route = getRouteApi('/app/admin/settings');
const COLORS: Readonly<Record<SourceKind, string>> = {
  default: 'gray',
  environment: 'blue',
  flag: 'blue',
  file: 'green',
};

export function SettingsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(texts);
  const { search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(settingsQuery);
  return (
    <Page title={title('settings')}>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      <TextInput
        maw={420}
        label={t('search')}
        placeholder={t('searchHint')}
        leftSection={<IconSearch size={16} />}
        value={search}
        maxLength={MAX_FILTER_CHARS}
        data-page-filter
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { search: value }, replace: true })
        }
      />
      {data === undefined ? (
        error === null ? (
          <Skeleton height={400} />
        ) : null
      ) : (
        <>
          <Alert variant="light" icon={<IconInfoCircle />} title={t('how')}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('howText', { file: data.file })}
            </Text>
          </Alert>
          <Groups groups={groupsOf(data.data, search)} />
        </>
      )}
    </Page>
  );
}

function Groups({ groups }: { readonly groups: readonly SettingsGroup[] }) {
  const t = useTexts(texts);
  const columns = useColumns();
  if (groups.length === 0) {
    return (
      <Card>
        <Empty icon={IconSettings} title={t('none')}>
          {t('noneHint')}
        </Empty>
      </Card>
    );
  }
  return groups.map(({ name, settings }) => (
    <SectionCard key={name} title={name === 'general' ? t('general') : name} size="h5">
      <DataTable
        label={t('group', { name })}
        columns={columns}
        rows={settings}
        keyOf={(setting) => setting.name}
        minWidth={640}
      />
    </SectionCard>
  ));
}

function useColumns(): readonly Column<Setting>[] {
  const t = useTexts(texts);
  return [
    { name: 'name', heading: t('name'), cell: ({ name }) => <Copyable value={name} /> },
    {
      name: 'value',
      heading: t('value'),
      cell: ({ value }) => (
        <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{value}</Code>
      ),
    },
    {
      name: 'source',
      heading: t('source'),
      cell: ({ source }) => {
        const kind = sourceKind(source);
        const where = {
          default: '',
          environment: source.replace('environment ', ''),
          flag: source.replace('flag ', ''),
          file: source,
        }[kind];
        return (
          <Stack gap={2} align="flex-start">
            <Badge color={COLORS[kind]} miw="max-content">
              {t(kind)}
            </Badge>
            {where === '' ? null : (
              <Text size="xs" ff="monospace" c="dimmed">
                {where}
              </Text>
            )}
          </Stack>
        );
      },
    },
  ];
}
