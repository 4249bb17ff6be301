/** The palette's commands: pasted ids, pages, models, keys and actions. */
import {
  IconBox,
  IconBuildingBank,
  IconKey,
  IconListDetails,
  IconPhoto,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { useModels } from '#catalogue/models.ts';
import { useTexts } from '#i18n/texts.ts';
import { keysQuery } from '#keys/key-queries.ts';
import { NAVIGATION, navigationTexts } from '#shell/navigation.ts';
import type { Command } from './command.ts';
import { paletteTexts } from './palette-texts.ts';
import { pastedId } from './pasted-id.ts';
import { useActionCommands } from './use-action-commands.ts';

/** Shorter words would find half of all accounts. */
const MIN_SEARCH_CHARS = 2;
const FOUND_ROWS = 8;

/**
 * Returns all commands of the palette.
 * @param query the typed text, which may be an id to open.
 */
export function useCommands(query: string): readonly Command[] {
  return [
    ...useIdCommand(query),
    ...usePageCommands(),
    ...useModelCommands(),
    ...useKeyCommands(),
    ...useAccountCommands(query),
    ...useActionCommands(),
  ];
}

/** Returns the command that opens a pasted id, if there is one. */
function useIdCommand(query: string): readonly Command[] {
  const t = useTexts(paletteTexts);
  const navigate = useNavigate();
  const { role } = useSignedIn();
  const pasted = pastedId(query);
  if (pasted === null) return [];
  const { kind, id } = pasted;
  const common = { id: `open:${id}`, group: 'open', detail: id } as const;
  switch (kind) {
    case 'request':
      return [
        {
          ...common,
          label: t('openRequest'),
          icon: IconListDetails,
          run: () => void navigate({ to: '/requests', search: { id } }),
        },
      ];
    case 'key':
      return [
        {
          ...common,
          label: t('openKey'),
          icon: IconKey,
          run: () => void navigate({ to: '/keys/$id', params: { id } }),
        },
      ];
    case 'account':
      if (!mayAs(role, 'administrator')) return [];
      return [
        {
          ...common,
          label: t('openAccount'),
          icon: IconBuildingBank,
          run: () => void navigate({ to: '/admin/accounts/$id', params: { id } }),
        },
      ];
  }
}

function usePageCommands(): readonly Command[] {
  const t = useTexts(navigationTexts);
  const navigate = useNavigate();
  const { role } = useSignedIn();
  return NAVIGATION.flatMap(({ items }) => items)
    .filter(({ least }) => mayAs(role, least))
    .map((item) => ({
      id: `page:${item.to}`,
      group: 'pages',
      label: t(item.name),
      icon: item.icon,
      // The English name, also in other languages.
      keywords: [item.to],
      run: () => void navigate({ to: item.to }),
    }));
}

function useModelCommands(): readonly Command[] {
  const navigate = useNavigate();
  const { data: models = [] } = useModels();
  return models.map(({ id, name, kind, maker }) => ({
    id: `model:${id}`,
    group: 'models',
    label: name,
    detail: id,
    icon: kind === 'image' ? IconPhoto : IconBox,
    keywords: [maker],
    run: () => void navigate({ to: '/models/$id', params: { id } }),
  }));
}

/** Accounts by name or id, for administrators. The gateway searches, because there may be many. */
function useAccountCommands(query: string): readonly Command[] {
  const navigate = useNavigate();
  const { role } = useSignedIn();
  const search = query.trim();
  const { data } = useQuery({
    queryKey: ['palette', 'accounts', search],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/admin/v1/accounts', { params: { query: { search, limit: FOUND_ROWS } }, signal }),
      ),
    enabled: mayAs(role, 'administrator') && search.length >= MIN_SEARCH_CHARS,
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

function useKeyCommands(): readonly Command[] {
  const navigate = useNavigate();
  const { data: keys = [] } = useQuery(keysQuery);
  return keys.map(({ id, name, masked }) => ({
    id: `key:${id}`,
    group: 'keys',
    label: name,
    detail: masked,
    icon: IconKey,
    keywords: [id],
    run: () => void navigate({ to: '/keys/$id', params: { id } }),
  }));
}
