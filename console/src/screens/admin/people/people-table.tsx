/** People who can sign in: of all accounts, or of one. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSignedIn } from '../../../api/session.ts';
import { Ago, Day } from '../../../components/moment.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { PagedTable } from '../../../components/tables/paged-table.tsx';
import { useRoleName } from '../../../i18n/role-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { AdminLink } from '../admin-link.tsx';
import { type PeopleFilters, type Person, peopleQuery } from './people-queries.ts';
import { peopleTexts } from './people-texts.ts';
import { PersonMenu } from './person-menu.tsx';

export type PeopleTableProps = {
  readonly filters: PeopleFilters;
  readonly empty: ReactNode;
};

export function PeopleTable({ filters, empty }: PeopleTableProps) {
  const t = useTexts(peopleTexts);
  const columns = useColumns();
  return (
    <PagedTable
      label={t('people')}
      pages={useInfiniteQuery(peopleQuery(filters))}
      columns={columns}
      keyOf={({ id }) => id}
      minWidth={860}
      empty={empty}
    />
  );
}

function useColumns(): readonly Column<Person>[] {
  const t = useTexts(peopleTexts);
  const roleName = useRoleName();
  return [
    { name: 'person', heading: t('person'), cell: (person) => <Name person={person} /> },
    { name: 'role', heading: t('role'), cell: ({ role }) => roleName(role) },
    {
      name: 'account',
      heading: t('account'),
      cell: ({ account }) => <AdminLink id={account.id} name={account.name} />,
    },
    {
      name: 'totp',
      heading: t('totp'),
      cell: ({ totp_enabled: isOn }) => (
        <Badge color={isOn ? 'green' : 'gray'} miw="max-content">
          {t(isOn ? 'on' : 'off')}
        </Badge>
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
