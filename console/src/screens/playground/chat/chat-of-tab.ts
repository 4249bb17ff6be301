/** Provides the chat of this browser tab, with access to storage, network and frames. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useSignedIn } from '#api/session.ts';
import { walletsQuery } from '#api/wallets.ts';
import { recordedCharge } from './answer/recorded-charge.ts';
import { type ChatState, ChatStore } from './chat-store.ts';
import { keepChat, savedChat } from './saved-chat.ts';

/** The update interval of answers on a hidden page, which gets no animation frames. */
const HIDDEN_FRAME_MS = 250;

let ofTab: { readonly personId: string; readonly store: ChatStore } | null = null;

/** Returns the chat of the signed-in person and discards that of another person. */
export function useChat(): { readonly store: ChatStore; readonly state: ChatState } {
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
      onAnswered: () => void queryClient.invalidateQueries(walletsQuery),
    },
    savedChat(sessionStorage, personId) ?? undefined,
  );
}

/** Returns a function that runs `run` once in the next frame. */
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
