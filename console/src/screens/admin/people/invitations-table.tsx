/** Invitations to all accounts, and what became of them. */
import { Badge } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Empty } from '../../../components/empty.tsx';
import { Ago, Moment } from '../../../components/moment.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { PagedTable } from '../../../components/tables/paged-table.tsx';
import { TakeBackInvitation } from '../../../components/take-back-invitation.tsx';
import { useRoleName } from '../../../i18n/role-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { AdminLink } from '../admin-link.tsx';
import {
  type Invitation,
  invitationsQuery,
  takeInvitationBack,
  usePeopleChanged,
} from './people-queries.ts';
import { peopleTexts } from './people-texts.ts';

const COLORS = { open: 'blue', accepted: 'green', expired: 'gray' } as const;

export function InvitationsTable() {
  const t = useTexts(peopleTexts);
  const columns = useColumns();
  return (
    <PagedTable
      label={t('invitations')}
      pages={useInfiniteQuery(invitationsQuery)}
      columns={columns}
      keyOf={({ id }) => id}
      minWidth={860}
      empty={<Empty icon={IconMail} title={t('noInvitations')} />}
    />
  );
}

function useColumns(): readonly Column<Invitation>[] {
  const t = useTexts(peopleTexts);
  const roleName = useRoleName();
  return [
    { name: 'email', heading: t('forWhom'), cell: ({ email }) => email ?? t('anybody') },
    { name: 'role', heading: t('role'), cell: ({ role }) => roleName(role) },
    {
      name: 'account',
      heading: t('account'),
      cell: ({ account_id: id, account_name: name }) =>
        id === null ? `${name} (${t('newAccount')})` : <AdminLink id={id} name={name} />,
    },
    {
      name: 'state',
      heading: t('state'),
      cell: ({ state }) => (
        <Badge color={COLORS[state]} miw="max-content">
          {t(state)}
        </Badge>
      ),
    },
    { name: 'made', heading: t('made'), cell: ({ created_at: at }) => <Ago at={at} /> },
    { name: 'expires', heading: t('expires'), cell: ({ expires_at: at }) => <Moment at={at} /> },
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      cell: (invitation) => (invitation.state === 'open' ? <TakeBack id={invitation.id} /> : null),
    },
  ];
}

function TakeBack({ id }: { readonly id: string }) {
  return (
    <TakeBackInvitation takeBack={() => takeInvitationBack(id)} changed={usePeopleChanged()} />
  );
}
