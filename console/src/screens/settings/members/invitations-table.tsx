/** Invitations that wait for somebody, and what became of earlier ones. */
import { Badge, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { Ago, Moment } from '../../../components/moment.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { PagedTable } from '../../../components/tables/paged-table.tsx';
import { TakeBackInvitation } from '../../../components/take-back-invitation.tsx';
import { useRoleName } from '../../../i18n/role-names.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { type Invitation, invitationsQuery, useMembersChanged } from './member-queries.ts';

const texts = defineTexts('invitations-table', {
  en: {
    title: 'Invitations',
    none: 'Nobody is invited at the moment.',
    whom: 'For',
    anybody: 'Whoever has the link',
    role: 'Role',
    state: 'State',
    open: 'Open',
    accepted: 'Accepted',
    expired: 'Expired',
    made: 'Made',
    expires: 'Expires',
    action: 'Take back',
  },
  zh: {
    title: '邀请',
    none: '目前没有邀请。',
    whom: '受邀人',
    anybody: '任何持有链接的人',
    role: '角色',
    state: '状态',
    open: '待接受',
    accepted: '已接受',
    expired: '已过期',
    made: '创建时间',
    expires: '到期时间',
    action: '撤回',
  },
});
const COLORS = { open: 'brand', accepted: 'green', expired: 'gray' } as const;
const MIN_WIDTH_PX = 760;

export function InvitationsTable() {
  const t = useTexts(texts);
  const columns = useColumns();
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('title')}
      </Title>
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={useInfiniteQuery(invitationsQuery)}
        keyOf={({ id }) => id}
        minWidth={MIN_WIDTH_PX}
        expected={1}
        empty={<Text c="dimmed">{t('none')}</Text>}
      />
    </Stack>
  );
}

function useColumns(): readonly Column<Invitation>[] {
  const t = useTexts(texts);
  const roleName = useRoleName();
  return [
    { name: 'whom', heading: t('whom'), cell: ({ email }) => email ?? t('anybody') },
    { name: 'role', heading: t('role'), cell: ({ role }) => roleName(role) },
    {
      name: 'state',
      heading: t('state'),
      cell: ({ state }) => <Badge color={COLORS[state]}>{t(state)}</Badge>,
    },
    { name: 'made', heading: t('made'), cell: ({ created_at: at }) => <Moment at={at} /> },
    { name: 'expires', heading: t('expires'), cell: ({ expires_at: at }) => <Ago at={at} /> },
    {
      name: 'action',
      heading: t('action'),
      end: true,
      cell: (invitation) => (invitation.state === 'open' ? <TakeBack id={invitation.id} /> : null),
    },
  ];
}

function TakeBack({ id }: { readonly id: string }) {
  const takeBack = () =>
    answerOf(api.DELETE('/console/api/invitations/{id}', { params: { path: { id } } }));
  return <TakeBackInvitation takeBack={takeBack} changed={useMembersChanged()} />;
}
