/** The people and invitations of all accounts. */

import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '#components/page.tsx';
import { PageTabs } from '#components/page-tabs.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { useTexts } from '#i18n/texts.ts';
import { InvitationsTable } from '#people/invitations-table.tsx';
import { InviteDialog } from '#people/invite-dialog.tsx';
import { PeopleApiProvider } from '#people/people-api.ts';
import { PeopleTable } from '#people/people-table.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { AccountSelect } from './people/account-select.tsx';
import { ALL_PEOPLE, invitationsQuery, peopleQuery } from './people/all-people.ts';
import { allPeopleTexts } from './people/all-people-texts.ts';

const route = getRouteApi('/app/admin/people');

export function PeopleScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(allPeopleTexts);
  const { tab = 'people' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isInviting, setInviting] = useState(false);
  const button = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  );
  return (
    <PeopleApiProvider value={ALL_PEOPLE}>
      <Page title={title('people')} actions={button}>
        <PageTabs
          value={tab}
          onChange={(name) => void navigate({ search: name === 'people' ? {} : { tab: name } })}
          tabs={[
            { name: 'people', label: t('people'), panel: <EverybodyTab /> },
            {
              name: 'invitations',
              label: t('invitations'),
              panel: <InvitationsTab />,
            },
          ]}
        />
        <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
      </Page>
    </PeopleApiProvider>
  );
}

function EverybodyTab() {
  const t = useTexts(allPeopleTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={560}>
        <FilterText
          label={t('emailFilter')}
          value={search.search ?? ''}
          onCommit={(text) => void navigate({ search: { ...search, search: text } })}
        />
        <AccountSelect
          label={t('accountFilter')}
          clearable
          value={search.account_id ?? null}
          onChange={(id) => void navigate({ search: { ...search, account_id: id ?? undefined } })}
        />
      </SimpleGrid>
      <PeopleTable label={t('people')} pages={useInfiniteQuery(peopleQuery(search))} />
    </Stack>
  );
}

function InvitationsTab() {
  return <InvitationsTable pages={useInfiniteQuery(invitationsQuery)} />;
}
