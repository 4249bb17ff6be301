/** The table of the people of one account or of all accounts. */

import { Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useSignedIn } from '#api/session.ts';
import { ShortTime } from '#components/moment.tsx';
import { Status } from '#components/status.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import type { Pages } from '#components/tables/paged-table.tsx';
import { useRoleName } from '#i18n/role-names.ts';
import { useTexts } from '#i18n/texts.ts';
import { type Person, usePeopleApi } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import { PersonMenu } from './person-menu.tsx';

export type PeopleTableProps = {
  readonly label: string;
  readonly pages: Pages<Person>;
  /** The texts shown when there are no people. */
  readonly empty?: { readonly title: string; readonly hint: string };
};

export function PeopleTable({ label, pages, empty }: PeopleTableProps) {
  const t = useTexts(peopleTexts);
  const { everywhere } = usePeopleApi();
  return (
    <ListCard
      label={label}
      pages={pages}
      columns={useColumns()}
      keyOf={({ id }) => id}
      name="people"
      csv={{ file: ['people'] }}
      hasViews={everywhere !== null}
      expected={2}
      empty={{ icon: IconUsers, ...(empty ?? { title: t('empty') }) }}
    />
  );
}

function useColumns(): readonly Column<Person>[] {
  const t = useTexts(peopleTexts);
  const roleName = useRoleName();
  const { everywhere } = usePeopleApi();
  const account = (Link: NonNullable<typeof everywhere>['AccountLink']): Column<Person> => ({
    name: 'account',
    heading: t('account'),
    cell: ({ account: { id, name } }) => <Link id={id} name={name} />,
    value: ({ account: { name } }) => name,
  });
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
    { name: 'email', heading: t('email'), cell: ({ email }) => email, value: ({ email }) => email },
    {
      name: 'role',
      heading: t('role'),
      phone: 'state',
      cell: ({ role }) => roleName(role),
      value: ({ role }) => roleName(role),
    },
    ...(everywhere === null ? [] : [account(everywhere.AccountLink)]),
    {
      name: 'totp',
      heading: t('totp'),
      cell: ({ totp_enabled: isOn }) => (
        <Status tone={isOn ? 'good' : 'quiet'}>{t(isOn ? 'on' : 'off')}</Status>
      ),
      value: ({ totp_enabled: isOn }) => t(isOn ? 'on' : 'off'),
    },
    {
      name: 'seen',
      heading: t('seen'),
      cell: ({ last_seen_at: at }) => (at === null ? t('notSeen') : <ShortTime at={at} />),
      value: ({ last_seen_at: at }) => at,
    },
    {
      name: 'since',
      heading: t('since'),
      show: 'wide',
      phone: 'hidden',
      cell: ({ created_at: at }) => <ShortTime at={at} />,
      value: ({ created_at: at }) => at,
    },
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      phone: 'action',
      cell: (person) => <PersonMenu person={person} />,
    },
  ];
}
