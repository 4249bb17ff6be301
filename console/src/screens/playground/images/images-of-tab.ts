/** Provides the gallery of this browser tab, with access to the network and the clock. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useSignedIn } from '#api/session.ts';
import { walletsQuery } from '#api/wallets.ts';
import { openShelf } from './image-shelf.ts';
import { type ImageState, ImageStore } from './image-store.ts';

let ofTab: { readonly personId: string; readonly store: ImageStore } | null = null;

/** Returns the gallery of the signed-in person and discards that of another person. */
export function useImages(): { readonly store: ImageStore; readonly state: ImageState } {
  const { id } = useSignedIn();
  const store = imagesOf(id, useQueryClient());
  return { store, state: useSyncExternalStore(store.subscribe, store.state) };
}

function imagesOf(personId: string, queryClient: QueryClient): ImageStore {
  if (ofTab?.personId !== personId) {
    const store = new ImageStore({
      fetch: (path, init) => fetch(path, init),
      newId: () => crypto.randomUUID(),
      nowMs: () => Date.now(),
      shelf: openShelf(personId),
      onGenerated: () => void queryClient.invalidateQueries(walletsQuery),
    });
    ofTab = { personId, store };
    void store.restore();
  }
  return ofTab.store;
}
