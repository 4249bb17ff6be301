/** Everybody who can sign in, of all accounts, and who is invited. */
import { Button, Card, SimpleGrid, Stack, Tabs } from '@mantine/core';
import { IconMail, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Page } from '../../components/page.tsx';
import { FilterText } from '../../components/tables/filter-fields.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { navigationTexts } from '../../shell/navigation.ts';
import { InvitationsTable } from './people/invitations-table.tsx';
import { InviteDialog } from './people/invite-dialog.tsx';
import { PeopleTable } from './people/people-table.tsx';
import { peopleTexts } from './people/people-texts.ts';
import { searchTexts, withText } from './search-texts.ts';

const route = getRouteApi('/app/admin/people');

export function PeopleScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(peopleTexts);
  const { tab = 'people' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isInviting, setInviting] = useState(false);
  const button = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  );
  const toTab = (name: string | null): void =>
    void navigate({ search: name === 'invitations' ? { tab: 'invitations' } : {} });
  return (
    <Page title={title('people')} lead={t('lead')} actions={button}>
      <Tabs value={tab} onChange={toTab} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="people" leftSection={<IconUsers size={16} />}>
            {t('people')}
          </Tabs.Tab>
          <Tabs.Tab value="invitations" leftSection={<IconMail size={16} />}>
            {t('invitations')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="people">
          <EverybodyTab />
        </Tabs.Panel>
        <Tabs.Panel value="invitations">
          <Card>
            <InvitationsTable />
          </Card>
        </Tabs.Panel>
      </Tabs>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function EverybodyTab() {
  const t = useTexts(peopleTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filters = searchTexts(search, ['email', 'account_id']);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={560}>
        <FilterText
          label={t('emailFilter')}
          value={filters.email ?? ''}
          onCommit={(text) => void navigate({ search: withText(filters, 'email', text) })}
        />
        <FilterText
          label={t('accountFilter')}
          placeholder="acc_…"
          value={filters.account_id ?? ''}
          onCommit={(text) => void navigate({ search: withText(filters, 'account_id', text) })}
        />
      </SimpleGrid>
      <Card>
        <PeopleTable filters={filters} empty={<Empty icon={IconUsers} title={t('empty')} />} />
      </Card>
    </Stack>
  );
}
