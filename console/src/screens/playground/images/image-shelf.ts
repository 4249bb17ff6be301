/**
 * Stores generated images in this browser, in IndexedDB, because their URLs expire and the server
 * has no copy. The number of requests and the total size are limited; the oldest requests are
 * deleted first.
 */
import type { Generated } from './generate.ts';
import type { ImageForm } from './image-form.ts';

/**
 * The limits on what is stored for a person: the bytes of all images, and the number of requests.
 */
export const SHELF_LIMITS = { bytes: 100_000_000, runs: 100 } as const;

export type ShelfRun = {
  readonly id: string;
  readonly form: ImageForm;
  readonly startedMs: number;
  readonly generated: Generated;
};

export type Shelf = {
  /** Stores a request. @returns the request with images that do not expire; null if not stored. */
  readonly keep: (run: ShelfRun) => Promise<ShelfRun | null>;
  /** Returns the stored requests, newest first. */
  readonly load: () => Promise<readonly ShelfRun[]>;
  readonly remove: (id: string) => Promise<void>;
  readonly clear: () => Promise<void>;
};

type Row = ShelfRun & { readonly personId: string; readonly blobs: readonly Blob[] };
type Sized = { readonly id: string; readonly startedMs: number; readonly bytes: number };

/**
 * Returns the ids of the oldest requests, which must be deleted to keep the rest within the limits.
 */
export function leaving(rows: readonly Sized[], limits: Limits): string[] {
  let bytes = 0;
  return rows
    .toSorted((a, b) => b.startedMs - a.startedMs)
    .filter((row, at) => {
      bytes += row.bytes;
      return at >= limits.runs || bytes > limits.bytes;
    })
    .map(({ id }) => id);
}
type Limits = { readonly bytes: number; readonly runs: number };

const NAME = 'modelgate-images';
const RUNS = 'runs';

export const openShelf = (personId: string): Shelf => ({
  keep: async (run) => {
    try {
      const blobs = await Promise.all(run.generated.pictures.map(({ src }) => blobOf(src)));
      const row: Row = { ...run, personId, blobs };
      await change((store) => store.put(row));
      const out = leaving((await rowsOf(personId)).map(sized), SHELF_LIMITS);
      await change((store) => out.forEach((id) => void store.delete(id)));
      return out.includes(run.id) ? null : shown(row);
    } catch {
      // In a private window or with a full disk, nothing is stored. The image is shown until its
      // URL expires.
      return null;
    }
  },
  load: async () => {
    const rows = await rowsOf(personId).catch(() => []);
    return rows.toSorted((a, b) => b.startedMs - a.startedMs).map(shown);
  },
  remove: (id) => change((store) => store.delete(id)).catch(() => undefined),
  clear: async () => {
    const rows = await rowsOf(personId).catch(() => []);
    await change((store) => rows.forEach(({ id }) => void store.delete(id))).catch(() => undefined);
  },
});

const sized = ({ id, startedMs, blobs }: Row): Sized => ({
  ...{ id, startedMs },
  bytes: blobs.reduce((sum, { size }) => sum + size, 0),
});

/** Returns a stored request for display. Its images have URLs of the stored bytes. */
const shown = ({ id, form, startedMs, generated, blobs }: Row): ShelfRun => ({
  ...{ id, form, startedMs },
  generated: {
    ...generated,
    expiresAt: null,
    pictures: generated.pictures.map((picture, at) => {
      const blob = blobs[at];
      return blob === undefined ? picture : { ...picture, src: URL.createObjectURL(blob) };
    }),
  },
});

/**
 * Reads an image. A data URL is decoded here, because the page's content security policy forbids
 * fetching it.
 */
async function blobOf(src: string): Promise<Blob> {
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(src) ?? [];
  if (base64 === undefined) return await (await fetch(src)).blob();
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: type ?? 'image/png' });
}

async function rowsOf(personId: string): Promise<readonly Row[]> {
  const database = await opened();
  const rows: Row[] = await done(database.transaction(RUNS).objectStore(RUNS).getAll());
  database.close();
  return rows.filter((row) => row.personId === personId);
}

async function change(act: (store: IDBObjectStore) => unknown): Promise<void> {
  const database = await opened();
  const transaction = database.transaction(RUNS, 'readwrite');
  act(transaction.objectStore(RUNS));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  }).finally(() => database.close());
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(RUNS, { keyPath: 'id' });
  return done(request);
}

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
