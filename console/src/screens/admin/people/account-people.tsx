/** The people of one account. */
import { Button, Card, Group, Stack } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Empty } from '../../../components/empty.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { Account } from '../accounts/account-queries.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleTable } from './people-table.tsx';
import { peopleTexts } from './people-texts.ts';

export function AccountPeople({ account }: { readonly account: Account }) {
  const t = useTexts(peopleTexts);
  const [isInviting, setInviting] = useState(false);
  const button = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  );
  return (
    <Stack>
      <Group justify="flex-end">{button}</Group>
      <Card>
        <PeopleTable
          filters={{ account_id: account.id }}
          empty={
            <Empty icon={IconUsers} title={t('emptyAccount')}>
              {t('emptyAccountHint')}
            </Empty>
          }
        />
      </Card>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} accountId={account.id} />
    </Stack>
  );
}
