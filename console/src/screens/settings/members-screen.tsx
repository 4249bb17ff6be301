/** The people of the account, what each may do, and who is invited. */
import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useInfiniteQuery, usePrefetchInfiniteQuery } from '@tanstack/react-query';
import { Page } from '../../components/page.tsx';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { InvitationsTable } from './members/invitations-table.tsx';
import { InviteDialog } from './members/invite-dialog.tsx';
import { invitationsQuery, membersQuery } from './members/member-queries.ts';
import { MembersTable } from './members/members-table.tsx';

const texts = defineTexts('members', {
  en: {
    title: 'Members',
    lead: 'They all use the same balance and keys; what each may do is their role.',
    invite: 'Invite somebody',
  },
  zh: {
    title: '成员',
    lead: '成员共用同一余额和密钥，各自的权限由角色决定。',
    invite: '邀请成员',
  },
});

export function MembersScreen() {
  const t = useTexts(texts);
  const [isInviting, { open, close }] = useDisclosure();
  const { isPending } = useInfiniteQuery(membersQuery);
  usePrefetchInfiniteQuery(invitationsQuery);
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
          {t('invite')}
        </Button>
      }
    >
      <Stack gap="xl">
        <MembersTable />
        {/* Not before it is known how far down it stands. */}
        {isPending ? null : <InvitationsTable />}
      </Stack>
      <InviteDialog opened={isInviting} onClose={close} />
    </Page>
  );
}
