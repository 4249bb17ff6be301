/**
 * The requests that change keys. By default, they change keys of the person's own account. The page
 * on which an administrator manages another account replaces them with requests for that account.
 */
import { createContext, useContext } from 'react';
import type { ApiKey, keyBodyOf } from './key-form.ts';
import {
  type CreatedKey,
  changeKey,
  createKey,
  disableKey,
  enableKey,
  readKey,
  revokeKey,
  rotateKey,
} from './key-queries.ts';

export type KeyBody = ReturnType<typeof keyBodyOf>;
export type KeyApi = {
  readonly create: (body: KeyBody, idempotencyKey: string) => Promise<CreatedKey>;
  readonly read: (id: string) => Promise<ApiKey>;
  /** @param etag the entity tag of the key's settings on which the change is based. */
  readonly change: (id: string, body: KeyBody, etag: string) => Promise<ApiKey>;
  /**
   * Replaces the secret of a key.
   * @param overlap how long the previous secret stays valid, such as `24h`.
   */
  readonly rotate: (id: string, overlap: string, idempotencyKey: string) => Promise<CreatedKey>;
  readonly disable: (id: string, etag: string) => Promise<ApiKey>;
  readonly enable: (id: string, etag: string) => Promise<ApiKey>;
  readonly revoke: (id: string) => Promise<ApiKey>;
};

const OWN_KEYS: KeyApi = {
  create: createKey,
  read: readKey,
  change: changeKey,
  rotate: rotateKey,
  disable: disableKey,
  enable: enableKey,
  revoke: revokeKey,
};

const KeyApiContext = createContext(OWN_KEYS);

export const KeyApiProvider = KeyApiContext.Provider;
export const useKeyApi = (): KeyApi => useContext(KeyApiContext);
