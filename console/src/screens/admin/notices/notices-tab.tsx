/** The tab with the incidents and maintenance that administrators publish on the status page. */
import { Button, Card, Group, Text } from '@mantine/core';
import {
  IconCheck,
  IconMessagePlus,
  IconPencil,
  IconSpeakerphone,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { NoticeState, noticeTexts, useAffectedNames } from '#catalogue/notice-facts.tsx';
import { type Action, ActionsMenu } from '#components/actions-menu.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { actionColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { adminNoticeTexts } from './notice-admin-texts.ts';
import { NoticeDialog, type NoticeTask } from './notice-dialogs.tsx';
import { type AdminNotice, noticesQuery } from './notice-queries.ts';

export function NoticesTab() {
  const t = useTexts(adminNoticeTexts);
  const { data, error, refetch } = useQuery(noticesQuery);
  const [task, open] = useState<NoticeTask | null>(null);
  const columns = useColumns((notice) => <Actions notice={notice} open={open} />);
  if (error !== null && data === undefined) {
    return <ApiProblem error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <Group mb="md" justify="space-between">
        <TextLink to="/status" size="sm">
          {t('statusPage')}
        </TextLink>
        <Group gap="xs">
          <Button variant="default" onClick={() => open({ act: 'create', kind: 'maintenance' })}>
            {t('newMaintenance')}
          </Button>
          <Button variant="default" onClick={() => open({ act: 'create', kind: 'incident' })}>
            {t('newIncident')}
          </Button>
        </Group>
      </Group>
      <Card>
        <DataTable
          name="admin-notices"
          label={t('table')}
          columns={columns}
          rows={data?.data}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={IconSpeakerphone} title={t('none')}>
              {t('noneHint')}
            </Empty>
          }
        />
      </Card>
      <NoticeDialog task={task} onClose={() => open(null)} />
    </>
  );
}

function useColumns(menu: (notice: AdminNotice) => ReactNode): readonly Column<AdminNotice>[] {
  const t = useTexts(adminNoticeTexts);
  const words = useTexts(noticeTexts);
  const namesOf = useAffectedNames();
  return [
    {
      name: 'title',
      heading: t('title'),
      cell: ({ title }) => <Cut text={title} maw={260} />,
      value: ({ title }) => title,
    },
    textColumn('kind', t('kind'), ({ kind }) => t(kind), { show: 'wide' }),
    {
      name: 'state',
      heading: t('state'),
      phone: 'state',
      cell: ({ state }) => <NoticeState state={state} />,
      value: ({ state }) => words(state),
    },
    {
      name: 'affects',
      heading: t('affects'),
      cell: ({ affects }) => <Cut text={namesOf(affects)} maw={180} />,
      value: ({ affects }) => namesOf(affects),
    },
    timeColumn('starts', t('starts'), ({ starts_at: at }) => at),
    timeColumn('ends', t('ends'), ({ ends_at: at }) => at),
    {
      name: 'latest',
      heading: t('latest'),
      show: 'wide',
      cell: ({ updates }) => <Cut text={updates[0]?.text ?? ''} maw={320} />,
      value: ({ updates }) => updates[0]?.text ?? '',
    },
    actionColumn(t('actions'), menu),
  ];
}

const Cut = ({ text, maw }: { readonly text: string; readonly maw: number }) => (
  <Text inherit truncate maw={maw} title={text}>
    {text}
  </Text>
);

type ActionsProps = {
  readonly notice: AdminNotice;
  readonly open: (task: NoticeTask) => void;
};

function Actions({ notice, open }: ActionsProps) {
  const t = useTexts(adminNoticeTexts);
  const { kind, state, title } = notice;
  const isOver = ['resolved', 'completed', 'canceled'].includes(state);
  const end =
    kind === 'incident' ? 'resolve' : state === 'scheduled' ? ('cancelIt' as const) : 'finish';
  const update = (next: 'resolved' | null) => () => open({ act: 'update', notice, state: next });
  const actions: readonly Action[] = [
    { label: t('update'), icon: IconMessagePlus, act: update(null) },
    ...(isOver ? [] : [{ label: t(end), icon: IconCheck, act: update('resolved') }]),
    { label: t('edit'), icon: IconPencil, act: () => open({ act: 'edit', notice }) },
    {
      ...{ label: t('delete'), icon: IconTrash, isGrave: true },
      act: () => open({ act: 'delete', notice }),
    },
  ];
  return <ActionsMenu label={t('actionsOf', { title })} actions={actions} />;
}
