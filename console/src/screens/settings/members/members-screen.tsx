/** The account's members, their roles and invitations. */
import { Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Page } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { InvitationsTable } from '#people/invitations-table.tsx';
import { InviteDialog } from '#people/invite-dialog.tsx';
import { invitationsQuery, membersQuery, OWN_PEOPLE } from '#people/own-people.ts';
import { PeopleApiProvider } from '#people/people-api.ts';
import { PeopleTable } from '#people/people-table.tsx';

const texts = defineTexts('members', {
  en: {
    title: 'Members',
    invite: 'Invite member',
    invitations: 'Invitations',
  },
  zh: {
    title: '成员',
    invite: '邀请成员',
    invitations: '邀请',
  },
});

export function MembersScreen() {
  const t = useTexts(texts);
  const [isInviting, { open, close }] = useDisclosure();
  const members = useInfiniteQuery(membersQuery);
  const invitations = useInfiniteQuery(invitationsQuery);
  const invite = (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
      {t('invite')}
    </Button>
  );
  return (
    <PeopleApiProvider value={OWN_PEOPLE}>
      <Page title={t('title')} actions={invite}>
        <Stack gap="xl">
          <PeopleTable label={t('title')} pages={members} />
          {/* The invitations are rendered after the members, so that the layout does not jump. */}
          {members.isPending ? null : (
            <Stack gap="sm">
              <Title order={2} size="h4">
                {t('invitations')}
              </Title>
              <InvitationsTable pages={invitations} />
            </Stack>
          )}
        </Stack>
        <InviteDialog opened={isInviting} onClose={close} />
      </Page>
    </PeopleApiProvider>
  );
}
