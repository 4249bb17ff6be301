/** Invitations to all accounts, and what became of them. */
import { Badge, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMail } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { ApiProblem } from '../../../components/api-problem.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Ago, Moment } from '../../../components/moment.tsx';
import { PagedTable } from '../../../components/paged-table.tsx';
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
      cell: (invitation) =>
        invitation.state === 'open' ? <TakeBack invitation={invitation} /> : null,
    },
  ];
}

/** A new invitation takes its place with two presses, so that nobody is asked whether they are sure. */
function TakeBack({ invitation }: { readonly invitation: Invitation }) {
  const t = useTexts(peopleTexts);
  const changed = usePeopleChanged();
  const taking = useMutation({
    mutationFn: () => takeInvitationBack(invitation.id),
    onSuccess: async () => {
      notifications.show({ message: t('takenBack') });
      await changed();
    },
  });
  return (
    <>
      {taking.error === null ? null : <ApiProblem error={taking.error} />}
      <Button
        size="xs"
        variant="subtle"
        color="red"
        loading={taking.isPending}
        onClick={() => taking.mutate()}
      >
        {t('takeBack')}
      </Button>
    </>
  );
}
