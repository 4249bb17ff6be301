/** The card with the active sessions and buttons to end them. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { useSignOut } from '#api/sign-out.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Ago, ShortTime } from '#components/moment.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { browserName } from './browser-name.ts';
import { type OwnSession, ownSessionsQuery } from './profile-queries.ts';

const texts = defineTexts('sessions-card', {
  en: {
    title: 'Where you are signed in',
    device: 'Browser',
    unknown: 'Unknown browser',
    here: 'This device',
    address: 'IP address',
    since: 'Signed in',
    seen: 'Last seen',
    action: 'Action',
    signOut: 'Sign out',
    endOthers: 'Sign out everywhere else',
  },
  zh: {
    title: '登录会话',
    device: '浏览器',
    unknown: '未知浏览器',
    here: '当前设备',
    address: 'IP 地址',
    since: '登录时间',
    seen: '最近活动',
    action: '操作',
    signOut: '退出',
    endOthers: '退出其他所有会话',
  },
});
const ICON_PX = 18;
const MIN_WIDTH_PX = 640;

export function SessionsCard() {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(ownSessionsQuery);
  const columns = useColumns();
  const ending = useEnding(() => answerOf(api.DELETE('/console/api/profile/sessions')));
  const hasOthers = data?.data.some(({ current }) => !current) ?? false;
  return (
    <SectionCard title={t('title')}>
      {error === null ? (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={data?.data}
          keyOf={({ id }) => id}
          minWidth={MIN_WIDTH_PX}
          expected={1}
        />
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
      {ending.error === null ? null : <ApiProblem error={ending.error} />}
      {hasOthers ? (
        <Group>
          <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
            {t('endOthers')}
          </Button>
        </Group>
      ) : null}
    </SectionCard>
  );
}

function useColumns(): readonly Column<OwnSession>[] {
  const t = useTexts(texts);
  return [
    { name: 'device', heading: t('device'), cell: (session) => <Device session={session} /> },
    { name: 'address', heading: t('address'), cell: ({ address }) => address ?? '–' },
    { name: 'since', heading: t('since'), cell: ({ created_at: at }) => <ShortTime at={at} /> },
    { name: 'seen', heading: t('seen'), cell: ({ last_seen_at: at }) => <Ago at={at} /> },
    {
      name: 'action',
      heading: t('action'),
      end: true,
      cell: (session) => <End session={session} />,
    },
  ];
}

function Device({ session: { user_agent: userAgent, current } }: { readonly session: OwnSession }) {
  const t = useTexts(texts);
  const name = useBrowserName(userAgent);
  const Icon = /Android|iOS/.test(name) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon size={ICON_PX} aria-hidden />
      <Text size="sm" title={userAgent ?? ''}>
        {name}
      </Text>
      {current ? <Badge color="green">{t('here')}</Badge> : null}
    </Group>
  );
}

function useBrowserName(userAgent: string | null): string {
  const t = useTexts(texts);
  return browserName(userAgent ?? '') ?? t('unknown');
}

function End({
  session: { id, current, user_agent: userAgent },
}: {
  readonly session: OwnSession;
}) {
  const t = useTexts(texts);
  const name = useBrowserName(userAgent);
  const { pair } = useFormats();
  const own = useSignOut();
  const other = useEnding(() =>
    answerOf(api.DELETE('/console/api/profile/sessions/{id}', { params: { path: { id } } })),
  );
  return (
    <Stack gap={4} align="flex-end">
      <Button
        size="xs"
        variant="default"
        aria-label={pair(t('signOut'), name)}
        loading={own.isRunning || other.isPending}
        onClick={() => (current ? own.signOut() : other.mutate())}
      >
        {t('signOut')}
      </Button>
      {other.error === null ? null : <ApiProblem error={other.error} />}
    </Stack>
  );
}

/** Returns a mutation that calls `end` to end sessions, and then refreshes the list. */
function useEnding(end: () => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSettled: () => queryClient.invalidateQueries(ownSessionsQuery),
  });
}
