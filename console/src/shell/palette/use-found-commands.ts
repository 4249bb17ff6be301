/**
 * Commands for objects that the gateway searches, because the console does not load such long
 * lists. Owners find members. Administrators find accounts, people and redeem codes.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { IconBuildingBank, IconTicket, IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { useTexts } from '#i18n/texts.ts';
import type { Command } from './command.ts';
import { paletteTexts } from './palette-texts.ts';
import { isRedeemCode } from './pasted-id.ts';

/** The minimum number of characters in a search. Shorter searches would match too many accounts. */
const MIN_SEARCH_CHARS = 2;
const FOUND_ROWS = 8;
/** The delay between the last keystroke and the search. */
const TYPING_MS = 120;

export function useFoundCommands(query: string): readonly Command[] {
  const [search] = useDebouncedValue(query.trim(), TYPING_MS);
  return [
    ...usePastedCode(search),
    ...useAccounts(search),
    ...usePeople(search),
    ...useBatches(search),
  ];
}

/**
 * Whether to search: the person has at least the role `least`, and the text is long enough and is
 * not a redeem code.
 */
function useMaySearch(search: string, least: 'owner' | 'administrator'): boolean {
  const { role } = useSignedIn();
  // A redeem code is worth money, so it is never put into a URL, which proxies log.
  return mayAs(role, least) && search.length >= MIN_SEARCH_CHARS && !isRedeemCode(search);
}

/**
 * Returns the command for a pasted redeem code. The command opens the batch that contains the code.
 */
function usePastedCode(search: string): readonly Command[] {
  const t = useTexts(paletteTexts);
  const navigate = useNavigate();
  const { role } = useSignedIn();
  const { data } = useQuery({
    queryKey: ['palette', 'code', search],
    queryFn: ({ signal }) =>
      answerOf(api.POST('/admin/v1/redeem-batches/find', { body: { code: search }, signal })),
    enabled: mayAs(role, 'administrator') && isRedeemCode(search),
    retry: false,
  });
  if (data === undefined) return [];
  return [
    {
      id: `code:${data.id}`,
      group: 'open',
      label: t('openRedeemCode'),
      detail: data.reason,
      icon: IconTicket,
      keywords: [search],
      run: () => void navigate({ to: '/admin/redeem-codes', search: { batch: data.id } }),
    },
  ];
}

function useAccounts(search: string): readonly Command[] {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['palette', 'accounts', search],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/admin/v1/accounts', { params: { query: { search, limit: FOUND_ROWS } }, signal }),
      ),
    enabled: useMaySearch(search, 'administrator'),
    placeholderData: keepPreviousData,
  });
  return (data?.data ?? []).map(({ id, name }) => ({
    id: `account:${id}`,
    group: 'accounts',
    label: name,
    detail: id,
    icon: IconBuildingBank,
    run: () => void navigate({ to: '/admin/accounts/$id', params: { id } }),
  }));
}

/**
 * Returns commands for the people that the search finds. Owners find members of their account.
 * Administrators find people of all accounts.
 */
function usePeople(search: string): readonly Command[] {
  const navigate = useNavigate();
  const { role } = useSignedIn();
  const isOfAll = mayAs(role, 'administrator');
  const { data } = useQuery({
    queryKey: ['palette', 'people', isOfAll, search],
    queryFn: ({ signal }) => {
      const options = { params: { query: { search, limit: FOUND_ROWS } }, signal };
      return answerOf(
        isOfAll ? api.GET('/admin/v1/people', options) : api.GET('/console/api/members', options),
      );
    },
    enabled: useMaySearch(search, 'owner'),
    placeholderData: keepPreviousData,
  });
  return (data?.data ?? []).map(({ id, name, email }) => ({
    id: `person:${id}`,
    group: 'people',
    label: name,
    detail: email,
    icon: IconUser,
    keywords: [id],
    run: () =>
      void (isOfAll
        ? navigate({ to: '/admin/people', search: { search: email } })
        : navigate({ to: '/members' })),
  }));
}

function useBatches(search: string): readonly Command[] {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['palette', 'batches', search],
    queryFn: ({ signal }) => {
      const query = { search, limit: FOUND_ROWS };
      return answerOf(api.GET('/admin/v1/redeem-batches', { params: { query }, signal }));
    },
    enabled: useMaySearch(search, 'administrator'),
    placeholderData: keepPreviousData,
  });
  return (data?.data ?? []).map(({ id, reason }) => ({
    id: `batch:${id}`,
    group: 'redeemCodes',
    label: reason,
    detail: id,
    icon: IconTicket,
    run: () => void navigate({ to: '/admin/redeem-codes', search: { batch: id } }),
  }));
}
