/** The chat playground: one model, or several side by side. */
import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { type Model, useModels } from '#catalogue/models.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { ChatActions } from './chat/chat-actions.tsx';
import { useChat } from './chat/chat-of-tab.ts';
import type { ChatStore } from './chat/chat-store.ts';
import { useSharedPrompt } from './chat/prompts/shared-prompt.ts';
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
