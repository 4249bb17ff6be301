/** The table of invitations with their state. Open invitations can be revoked. */

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMail } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import type { Tone } from '#components/status.tsx';
import {
  actionColumn,
  RowAction,
  statusColumn,
  textColumn,
  timeColumn,
} from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import type { Pages } from '#components/tables/paged-table.tsx';
import { useRoleName } from '#i18n/role-names.ts';
import { useTexts } from '#i18n/texts.ts';
import { type Invitation, usePeopleApi, usePeopleChanged } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';

const TONES: Readonly<Record<Invitation['state'], Tone>> = {
  open: 'quiet',
  accepted: 'good',
  expired: 'quiet',
};

export function InvitationsTable({ pages }: { readonly pages: Pages<Invitation> }) {
  const t = useTexts(peopleTexts);
  return (
    <ListCard
      label={t('invitations')}
      pages={pages}
      columns={useColumns()}
      keyOf={({ id }) => id}
      name="invitations"
      expected={1}
      empty={{ icon: IconMail, title: t('noInvitations') }}
    />
  );
}

function useColumns(): readonly Column<Invitation>[] {
  const t = useTexts(peopleTexts);
  const roleName = useRoleName();
  const { everywhere } = usePeopleApi();
  const account = (Link: NonNullable<typeof everywhere>['AccountLink']): Column<Invitation> => ({
    name: 'account',
    heading: t('account'),
    cell: ({ account_id: id, account_name: name }) =>
      id === null ? `${name} (${t('newAccount')})` : <Link id={id} name={name} />,
    value: ({ account_name: name }) => name,
  });
  return [
    textColumn('email', t('forWhom'), ({ email }) => email ?? t('anybody')),
    textColumn('role', t('role'), ({ role }) => roleName(role)),
    ...(everywhere === null ? [] : [account(everywhere.AccountLink)]),
    statusColumn('state', t('state'), ({ state }) => [TONES[state], t(state)]),
    timeColumn('made', t('made'), ({ created_at: at }) => at, { show: 'wide', phone: 'hidden' }),
    timeColumn('expires', t('expires'), ({ expires_at: at }) => at),
    actionColumn(t('actions'), (invitation) =>
      invitation.state === 'open' ? <Revoke {...invitation} /> : null,
    ),
  ];
}

/**
 * The button that revokes an invitation, without confirmation because a new invitation takes only
 * two clicks.
 */
function Revoke({ id, email }: Pick<Invitation, 'id' | 'email'>) {
  const t = useTexts(peopleTexts);
  const api = usePeopleApi();
  const changed = usePeopleChanged();
  const taking = useMutation({
    mutationFn: () => api.takeInvitationBack(id),
    onSuccess: () => notifications.show({ message: t('revoked'), color: 'green' }),
    // Refreshes the table also after an error, because the invitation may have been accepted in the
    // meantime.
    onSettled: changed,
  });
  return (
    <Stack gap={4} align="flex-end">
      <RowAction
        label={t('revoke')}
        of={email ?? t('anybody')}
        isRunning={taking.isPending}
        onClick={() => taking.mutate()}
      />
      {taking.error === null ? null : <ApiProblem error={taking.error} />}
    </Stack>
  );
}
