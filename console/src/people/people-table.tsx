/** The table of the people of one account or of all accounts. */

import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useSignedIn } from '#api/session.ts';
import { Ago, Day } from '#components/moment.tsx';
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
  return (
    <ListCard
      label={label}
      pages={pages}
      columns={useColumns()}
      keyOf={({ id }) => id}
      minWidth={860}
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
  });
  return [
    { name: 'person', heading: t('person'), cell: (person) => <Name person={person} /> },
    { name: 'role', heading: t('role'), cell: ({ role }) => roleName(role) },
    ...(everywhere === null ? [] : [account(everywhere.AccountLink)]),
    {
      name: 'totp',
      heading: t('totp'),
      cell: ({ totp_enabled: isOn }) => (
        <Status tone={isOn ? 'good' : 'quiet'}>{t(isOn ? 'on' : 'off')}</Status>
      ),
    },
    {
      name: 'seen',
      heading: t('seen'),
      cell: ({ last_seen_at: at }) => (at === null ? t('notSeen') : <Ago at={at} />),
    },
    { name: 'since', heading: t('since'), cell: ({ created_at: at }) => <Day at={at} /> },
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      cell: (person) => <PersonMenu person={person} />,
    },
  ];
}

function Name({ person: { id, name, email } }: { readonly person: Person }) {
  const t = useTexts(peopleTexts);
  const own = useSignedIn();
  return (
    <Stack gap={0}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={500} maw={220} truncate title={name}>
          {name}
        </Text>
        {id === own.id ? <Badge miw="max-content">{t('you')}</Badge> : null}
      </Group>
      <Text size="xs" c="dimmed" maw={280} truncate title={email}>
        {email}
      </Text>
    </Stack>
  );
}
