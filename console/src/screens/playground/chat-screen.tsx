/** The chat playground: one model, or several side by side. */
import { Button, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAdjustmentsHorizontal,
  IconBookmark,
  IconColumns,
  type IconProps,
  IconShare2,
  IconTrash,
} from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentType, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSignedIn } from '#api/session.ts';
import { walletsQuery } from '#api/wallets.ts';
import { type Model, useModels } from '#catalogue/models.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { keysQuery } from '#keys/key-queries.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { recordedCharge } from './chat/answer/recorded-charge.ts';
import classes from './chat/chat.module.css';
import { type ChatState, ChatStore, MAX_THREADS } from './chat/chat-store.ts';
import { chatTexts } from './chat/chat-texts.ts';
import { PromptsDialog } from './chat/prompts/prompts-dialog.tsx';
import { promptsTexts } from './chat/prompts/prompts-texts.ts';
import { useShare, useSharedPrompt } from './chat/prompts/shared-prompt.ts';
import { showUndo } from './chat/prompts/undo-notice.tsx';
import { keepChat, savedChat } from './chat/saved-chat.ts';
import { Workspace } from './chat/workspace.tsx';

const route = getRouteApi('/app/member/playground');

export function ChatScreen() {
  const t = useTexts(navigationTexts);
  const { data, error, refetch } = useModels();
  const models = useMemo(() => data?.filter(({ kind }) => kind === 'chat'), [data]);
  if (models !== undefined) return <Chat models={models} />;
  return (
    <Page title={t('playground')}>
      {error === null ? (
        <Skeleton height="60dvh" />
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Chat({ models }: { readonly models: readonly Model[] }) {
  const t = useTexts(navigationTexts);
  const { store, state } = useChat();
  useSharedPrompt(store);
  useModelOfAddress(store, models);
  const [isSheetOpen, sheet] = useDisclosure();
  return (
    <Page
      title={t('playground')}
      actions={<ChatActions store={store} state={state} models={models} onSettings={sheet.open} />}
    >
      <Workspace
        store={store}
        state={state}
        models={models}
        isSheetOpen={isSheetOpen}
        onCloseSheet={sheet.close}
      />
    </Page>
  );
}

/**
 * Applies the model in the URL to the first column. If the URL has no model, an empty playground
 * starts with the first model of the catalog.
 */
function useModelOfAddress(store: ChatStore, models: readonly Model[]): void {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useEffect(() => {
    const [thread] = store.state().threads;
    const model = search.model ?? models[0]?.id;
    const channel = search.channel ?? null;
    if (thread === undefined && model !== undefined) store.addThread(model, channel);
    if (search.model === undefined) return;
    if (thread !== undefined) store.choose(thread.id, { model: search.model, channel });
    // Removes the model from the URL, since the column now holds the choice.
    void navigate({ search: {}, replace: true });
  }, [store, models, search, navigate]);
}

/** How often answers are updated on a hidden page, for which browsers run no animation frames. */
const HIDDEN_FRAME_MS = 250;

let ofTab: { readonly personId: string; readonly store: ChatStore } | null = null;

/**
 * Returns the chat of the signed-in person, and discards the chat of any other person. Saves the
 * chat when the page is left.
 */
function useChat(): { readonly store: ChatStore; readonly state: ChatState } {
  const { id } = useSignedIn();
  const queryClient = useQueryClient();
  const store = chatOf(id, queryClient);
  const state = useSyncExternalStore(store.subscribe, store.state);
  useEffect(() => {
    const keep = (): void => keepChat(sessionStorage, id, store.state());
    globalThis.addEventListener('pagehide', keep);
    return () => {
      globalThis.removeEventListener('pagehide', keep);
      keep();
    };
  }, [id, store]);
  return { store, state };
}

function chatOf(personId: string, queryClient: QueryClient): ChatStore {
  if (ofTab?.personId !== personId) ofTab = { personId, store: openChat(personId, queryClient) };
  return ofTab.store;
}

function openChat(personId: string, queryClient: QueryClient): ChatStore {
  return new ChatStore(
    {
      fetch: (path, init) => fetch(path, init),
      nowMs: () => performance.now(),
      newId: () => crypto.randomUUID(),
      onNextFrame: frames(),
      chargeOf: recordedCharge,
      onAnswered: () => {
        void queryClient.invalidateQueries(walletsQuery);
        // The first message creates the playground key.
        void queryClient.invalidateQueries(keysQuery);
      },
    },
    savedChat(sessionStorage, personId) ?? undefined,
  );
}

/**
 * Returns a function that runs its argument in the next frame. Until then, further calls are
 * ignored.
 */
function frames(): (run: () => void) => void {
  let isWaiting = false;
  return (run) => {
    if (isWaiting) return;
    isWaiting = true;
    const once = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      run();
    };
    const frame = requestAnimationFrame(once);
    const timer = setTimeout(once, HIDDEN_FRAME_MS);
  };
}

type ChatActionsProps = {
  readonly store: ChatStore;
  readonly state: ChatState;
  readonly models: readonly Model[];
  readonly onSettings: () => void;
};

/** The buttons of the whole playground. On a phone they are icons. */
function ChatActions({ store, state, models, onSettings }: ChatActionsProps) {
  const t = useTexts(chatTexts);
  const tPrompts = useTexts(promptsTexts);
  const share = useShare(store);
  const [isLibraryOpen, library] = useDisclosure();
  const { threads } = state;
  const isEmpty = threads.every(({ messages }) => messages.length === 0);
  return (
    <>
      <HeadAction
        icon={IconAdjustmentsHorizontal}
        label={t('settings')}
        hiddenFrom="lg"
        onClick={onSettings}
      />
      <HeadAction icon={IconBookmark} label={tPrompts('prompts')} onClick={library.open} />
      <HeadAction
        icon={IconShare2}
        label={tPrompts('share')}
        hint={tPrompts('shareHint')}
        onClick={() => void share()}
      />
      <HeadAction
        icon={IconColumns}
        label={t('compare')}
        hint={t('compareHint')}
        disabled={threads.length === 0 || threads.length >= MAX_THREADS}
        onClick={() => store.compare(models)}
      />
      <HeadAction
        icon={IconTrash}
        label={t('clear')}
        disabled={isEmpty}
        onClick={() => showUndo(t('cleared'), store.clear())}
      />
      <PromptsDialog store={store} isOpen={isLibraryOpen} onClose={library.close} />
    </>
  );
}

type HeadActionProps = {
  readonly icon: ComponentType<IconProps>;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly hiddenFrom?: 'lg';
  readonly onClick: () => void;
};

function HeadAction({ icon: Icon, label, hint = label, ...button }: HeadActionProps) {
  return (
    <Tooltip label={hint}>
      <Button
        variant="default"
        classNames={{ root: classes['headAction'] ?? '', label: classes['headLabel'] ?? '' }}
        leftSection={<Icon size={16} aria-hidden />}
        aria-label={label}
        {...button}
      >
        {label}
      </Button>
    </Tooltip>
  );
}
