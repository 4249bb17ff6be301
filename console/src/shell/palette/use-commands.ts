/** The palette's commands: pasted ids, pages, models, keys, search results, and actions. */
import {
  IconBox,
  IconBuildingBank,
  IconKey,
  IconListDetails,
  IconPhoto,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
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
import { useFoundCommands } from './use-found-commands.ts';

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
    ...useFoundCommands(query),
    ...useActionCommands(),
  ];
}

/**
 * Returns the command that opens the page of the request, key or account with the pasted id.
 * Returns an empty list if `query` is not an id.
 */
function useIdCommand(query: string): readonly Command[] {
  const t = useTexts(paletteTexts);
  const navigate = useNavigate();
  const { role } = useSignedIn();
  const openRequest = useOpenRequest();
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
          run: () => void openRequest(id),
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

/**
 * Returns a function that opens a request. For an administrator, it opens the request in the
 * account to which the request belongs.
 */
function useOpenRequest(): (id: string) => Promise<void> {
  const navigate = useNavigate();
  const { role, account } = useSignedIn();
  return async (id) => {
    const query = { id, limit: 1 };
    const found = mayAs(role, 'administrator')
      ? await answerOf(api.GET('/admin/v1/requests', { params: { query } })).catch(() => null)
      : null;
    const [logged] = found?.data ?? [];
    if (found !== null && logged === undefined) {
      await navigate({ to: '/admin/refusals', search: { id } });
      return;
    }
    const owner = logged?.account_id ?? account.id;
    await (owner === account.id
      ? navigate({ to: '/requests', search: { id } })
      : navigate({
          to: '/admin/accounts/$id',
          params: { id: owner },
          search: { tab: 'requests', request: id },
        }));
  };
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
      // The path contains the English name of the page, so the English name finds the page in every
      // language.
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
