/**
 * The API keys for the console's playground, one per person and account. The gateway uses this key
 * when a signed-in person sends requests in the playground. Its secret is never shown.
 */
import type { Clock } from '../clock.ts';
import { type Actor, type KeyStanding, MAX_NAME_CHARS, type NewKey } from './account.ts';
import { changedMeanwhile, disabledKey, expiredKey } from './account-errors.ts';
import type { KeyStore, PurposePlace } from './key-store.ts';
import { newKey } from './keys.ts';
import { capsOf } from './limits/spend-windows.ts';

const PURPOSE = 'playground';

/** The person who uses the playground. */
export type Player = { readonly id: Actor; readonly name: string };

export type PlaygroundKeysDeps = {
  readonly clock: Clock;
  readonly store: Pick<KeyStore, 'insertKey' | 'keyFor' | 'standingFor'>;
};

export class PlaygroundKeys {
  readonly #deps: PlaygroundKeysDeps;

  constructor(deps: PlaygroundKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the person's key, and creates it if it is missing. Concurrent calls create one key.
   * @throws GatewayError `invalid_api_key` (an older version created a key for all people of the
   *   account, and it is disabled or has expired), `conflict` (the new key was revoked at once).
   */
  async of(accountId: string, person: Player): Promise<KeyStanding> {
    const place = { accountId, purpose: PURPOSE, creatorId: person.id } as const;
    return (await this.#deps.store.standingFor(place)) ?? (await this.#make(place, person));
  }

  /**
   * Creates the key. In older versions, all people of an account shared one key. If that key
   * exists, its limits are copied, so that an upgrade does not remove them.
   */
  async #make(place: PurposePlace, { id, name }: Player): Promise<KeyStanding> {
    const { clock, store } = this.#deps;
    const shared = await store.keyFor({ ...place, creatorId: null });
    const { scopes = ['inference'], expiresAtMs = null } = shared ?? {};
    if (shared?.status === 'disabled') throw disabledKey();
    if (expiresAtMs !== null && expiresAtMs <= clock.nowMs()) throw expiredKey(expiresAtMs);
    const key: NewKey = {
      name: playgroundKeyName(name),
      ...{ scopes, expiresAtMs },
      limits: shared === null ? {} : { ...shared.limits, spend: capsOf(shared.spend) },
    };
    const { row, entry } = newKey(clock, place.accountId, key, PURPOSE, id);
    await store.insertKey(row, entry);
    const standing = await store.standingFor(place);
    if (standing === null) throw changedMeanwhile();
    return standing;
  }
}

/**
 * Returns the name of a person's key, such as "Playground · Ada". A name that is too long is
 * truncated, but never within a surrogate pair.
 */
export const playgroundKeyName = (person: string): string =>
  `Playground · ${person}`.slice(0, MAX_NAME_CHARS).replace(/[\uD800-\uDBFF]$/, '');
