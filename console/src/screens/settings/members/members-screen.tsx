/** The account's members, their roles and invitations. */
import { Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api, taggedPath } from '#api/client.ts';
import { Page } from '#components/page.tsx';
import { PAGING } from '#components/tables/paged-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { KEYS, MAX_KEYS } from '#keys/key-queries.ts';
import { InvitationsTable } from '#people/invitations-table.tsx';
import { InviteDialog } from '#people/invite-dialog.tsx';
import { type PeopleApi, PeopleApiProvider } from '#people/people-api.ts';
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
          {/* The invitations wait until the layout above is final. */}
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

const pageOf = (after: string) => ({ params: { query: after === '' ? {} : { after } } });

const membersQuery = infiniteQueryOptions({
  queryKey: ['members'],
  queryFn: ({ pageParam, signal }) =>
    answerOf(api.GET('/console/api/members', { ...pageOf(pageParam), signal })),
  ...PAGING,
});

/** The requests about the people of the signed-in person's account. */
const invitationsQuery = infiniteQueryOptions({
  queryKey: ['invitations'],
  queryFn: ({ pageParam, signal }) =>
    answerOf(api.GET('/console/api/invitations', { ...pageOf(pageParam), signal })),
  ...PAGING,
});

const idPath = (id: string) => ({ params: { path: { id } } });

const OWN_PEOPLE: PeopleApi = {
  queryKeys: [membersQuery.queryKey, invitationsQuery.queryKey, KEYS],
  isOneAccount: true,
  read: (id) => answerOf(api.GET('/console/api/members/{id}', idPath(id))),
  change: (id, { role }, etag) =>
    answerOf(api.PATCH('/console/api/members/{id}', { ...taggedPath(id, etag), body: { role } })),
  keysOf: async ({ id }) => {
    const query = { created_by: id, limit: MAX_KEYS };
    return (await answerOf(api.GET('/console/api/keys', { params: { query } }))).data;
  },
  remove: (id, keys) =>
    answerOf(
      api.DELETE('/console/api/members/{id}', { params: { path: { id }, query: { keys } } }),
    ),
  resetLink: (id) => answerOf(api.POST('/console/api/members/{id}/reset-link', idPath(id))),
  invite: ({ role, email }, key) =>
    answerOf(
      api.POST('/console/api/invitations', {
        headers: { 'Idempotency-Key': key },
        body: { role, email },
      }),
    ),
  takeInvitationBack: (id) => answerOf(api.DELETE('/console/api/invitations/{id}', idPath(id))),
  everywhere: null,
};
