/** Who belongs to the account. */
import { Badge, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../api/session.ts';
import { Ago, Moment } from '../../../components/moment.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { PagedTable } from '../../../components/tables/paged-table.tsx';
import { useRoleName } from '../../../i18n/role-names.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { MemberMenu } from './member-menu.tsx';
import { type Member, membersQuery } from './member-queries.ts';

const texts = defineTexts('members-table', {
  en: {
    label: 'Members',
    person: 'Person',
    you: 'You',
    role: 'Role',
    totp: 'Second step',
    on: 'On',
    off: 'Off',
    since: 'Since',
    seen: 'Last seen',
    never: 'Not signed in now',
    more: 'More',
  },
  zh: {
    label: '成员',
    person: '人员',
    you: '您',
    role: '角色',
    totp: '两步验证',
    on: '已启用',
    off: '未启用',
    since: '加入时间',
    seen: '最近活动',
    never: '当前未登录',
    more: '更多',
  },
});
const MIN_WIDTH_PX = 760;

export function MembersTable() {
  const t = useTexts(texts);
  const columns = useColumns();
  return (
    <PagedTable
      label={t('label')}
      columns={columns}
      pages={useInfiniteQuery(membersQuery)}
      keyOf={({ id }) => id}
      minWidth={MIN_WIDTH_PX}
      expected={2}
    />
  );
}

function useColumns(): readonly Column<Member>[] {
  const t = useTexts(texts);
  const roleName = useRoleName();
  const own = useSignedIn();
  return [
    {
      name: 'person',
      heading: t('person'),
      cell: ({ id, name, email }) => (
        <>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
              {name}
            </Text>
            {id === own.id ? <Badge flex="none">{t('you')}</Badge> : null}
          </Group>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </>
      ),
    },
    { name: 'role', heading: t('role'), cell: ({ role }) => roleName(role) },
    {
      name: 'totp',
      heading: t('totp'),
      cell: ({ totp_enabled: isOn }) => (
        <Badge color={isOn ? 'green' : 'gray'}>{t(isOn ? 'on' : 'off')}</Badge>
      ),
    },
    { name: 'since', heading: t('since'), cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      name: 'seen',
      heading: t('seen'),
      cell: ({ last_seen_at: at }) => (at === null ? t('never') : <Ago at={at} />),
    },
    {
      name: 'more',
      heading: t('more'),
      end: true,
      cell: (member) => <MemberMenu member={member} />,
    },
  ];
}
