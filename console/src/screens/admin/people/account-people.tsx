/** The tab with the people of one account. */
import { Button, Group, Stack } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { InviteDialog } from '#people/invite-dialog.tsx';
import { PeopleApiProvider } from '#people/people-api.ts';
import { PeopleTable } from '#people/people-table.tsx';
import type { Account } from '#screens/admin/accounts/account-queries.ts';
import { ALL_PEOPLE, peopleQuery } from './all-people.ts';
import { allPeopleTexts } from './all-people-texts.ts';

export function AccountPeople({ account }: { readonly account: Account }) {
  const t = useTexts(allPeopleTexts);
  const [isInviting, setInviting] = useState(false);
  return (
    <PeopleApiProvider value={ALL_PEOPLE}>
      <Stack>
        <Group justify="flex-end">
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
        </Group>
        <PeopleTable
          label={t('people')}
          pages={useInfiniteQuery(peopleQuery({ account_id: account.id }))}
          empty={{ title: t('emptyAccount'), hint: t('emptyAccountHint') }}
        />
      </Stack>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} accountId={account.id} />
    </PeopleApiProvider>
  );
}
