/** The chat playground: one model, or several side by side. */
import { Button, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAdjustmentsHorizontal, IconColumns, IconTrash } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { type Model, useModels } from '#catalogue/models.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { useChat } from './chat/chat-of-tab.ts';
import { type ChatState, type ChatStore, MAX_THREADS } from './chat/chat-store.ts';
import { chatTexts } from './chat/chat-texts.ts';
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
  useModelOfAddress(store, models);
  const [isSheetOpen, sheet] = useDisclosure();
  return (
    <Page
      title={t('playground')}
      actions={<Actions store={store} state={state} models={models} onSettings={sheet.open} />}
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

type ActionsProps = {
  readonly store: ChatStore;
  readonly state: ChatState;
  readonly models: readonly Model[];
  readonly onSettings: () => void;
};

function Actions({ store, state: { threads }, models, onSettings }: ActionsProps) {
  const t = useTexts(chatTexts);
  const clear = (): void => {
    const undo = store.clear();
    notifications.show({
      message: <Undo onUndo={undo} />,
      withBorder: true,
    });
  };
  return (
    <>
      <Button
        variant="default"
        hiddenFrom="lg"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        onClick={onSettings}
      >
        {t('settings')}
      </Button>
      <Tooltip label={t('compareHint')}>
        <Button
          variant="default"
          leftSection={<IconColumns size={16} aria-hidden />}
          disabled={threads.length === 0 || threads.length >= MAX_THREADS}
          onClick={() => store.compare(models)}
        >
          {t('compare')}
        </Button>
      </Tooltip>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        disabled={threads.every(({ messages }) => messages.length === 0)}
        onClick={clear}
      >
        {t('clear')}
      </Button>
    </>
  );
}

function Undo({ onUndo }: { readonly onUndo: () => void }) {
  const t = useTexts(chatTexts);
  return (
    <>
      {t('cleared')}{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          notifications.clean();
          onUndo();
        }}
      >
        {t('undo')}
      </Button>
    </>
  );
}

/** Starts with the model in the URL, or with the first model of the catalog. */
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
