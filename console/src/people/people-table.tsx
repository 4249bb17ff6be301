import { Group, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSignedIn } from '#api/session.ts';
import { ShortTime } from '#components/moment.tsx';
import { actionColumn, statusColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import type { Pages } from '#components/tables/paged-table.tsx';
import { useRoleName } from '#i18n/role-names.ts';
import { useTexts } from '#i18n/texts.ts';
import { Spend } from '#keys/budget-bar.tsx';
import { keyTexts } from '#keys/key-texts.ts';
import { type Person, usePeopleApi } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import { PersonMenu } from './person-menu.tsx';

export type PeopleTableProps = {
  readonly label: string;
  readonly pages: Pages<Person>;
  /** Whether all people are in the same account, so that the table needs no account column. */
  readonly isOneAccount?: boolean;
  /** The content at the start of the line above the table. */
  readonly summary?: ReactNode;
  /** The texts shown when there are no people. */
  readonly empty?: { readonly title: string; readonly hint: string; readonly action: ReactNode };
};

export function PeopleTable(props: PeopleTableProps) {
  const { label, pages, isOneAccount = false, summary, empty } = props;
  const t = useTexts(peopleTexts);
  const { everywhere } = usePeopleApi();
  return (
    <ListCard
      label={label}
      pages={pages}
      columns={useColumns(isOneAccount)}
      keyOf={({ id }) => id}
      name="people"
      download={{ file: ['people'] }}
      hasViews={everywhere !== null}
      expected={2}
      summary={summary}
      empty={{ icon: IconUsers, ...(empty ?? { title: t('empty') }) }}
    />
  );
}

function useColumns(isOneAccount: boolean): readonly Column<Person>[] {
  const t = useTexts(peopleTexts);
  const keyNames = useTexts(keyTexts);
  const roleName = useRoleName();
  const { everywhere } = usePeopleApi();
  const isEverybody = everywhere !== null && !isOneAccount;
  const account = (Link: NonNullable<typeof everywhere>['AccountLink']): Column<Person> => ({
    name: 'account',
    heading: t('account'),
    cell: ({ account: { id, name }, other_accounts: others }) => (
      <Group gap={6} wrap="nowrap">
        <Link id={id} name={name} />
        {others ? (
          <Text inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {t('others', { count: others })}
          </Text>
        ) : null}
      </Group>
    ),
    value: ({ account: { name }, other_accounts: others }) =>
      others ? `${name} ${t('others', { count: others })}` : name,
  });
  const spend: Column<Person> = {
    name: 'spend',
    heading: keyNames('spend'),
    show: 'fits',
    cell: (person) => <Spend of={person} />,
    value: ({ spend: { month } }) => month.spent,
  };
  const own = useSignedIn();
  return [
    {
      name: 'person',
      heading: t('person'),
      cell: ({ id, name }) => (
        <Text inherit fw={500} title={name} maw={240} truncate>
          {id === own.id ? t('you', { name }) : name}
        </Text>
      ),
      value: ({ name }) => name,
    },
    {
      name: 'email',
      heading: t('email'),
      cell: ({ email }) => (
        <Text inherit title={email} maw={240} truncate>
          {email}
        </Text>
      ),
      value: ({ email }) => email,
    },
    textColumn('role', t('role'), ({ role }) => roleName(role), { phone: 'state' }),
    ...(isEverybody ? [account(everywhere.AccountLink)] : []),
    ...(isEverybody ? [] : [spend]),
    statusColumn(
      'totp',
      t('totp'),
      ({ totp_enabled: isOn }) => [isOn ? 'good' : 'quiet', t(isOn ? 'on' : 'off')],
      { phone: 'detail', show: 'fits' },
    ),
    {
      name: 'seen',
      heading: t('seen'),
      show: 'fits',
      cell: ({ last_seen_at: at }) => (at === null ? t('notSeen') : <ShortTime at={at} />),
      value: ({ last_seen_at: at }) => at,
    },
    // In the list of people of all accounts, this column is hidden first if space is short.
    ...(isEverybody ? [spend] : []),
    timeColumn('since', t('since'), ({ created_at: at }) => at, { show: 'wide', phone: 'hidden' }),
    actionColumn(t('actions'), (person) => <PersonMenu person={person} />),
  ];
}
