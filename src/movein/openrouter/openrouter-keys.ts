/**
 * Converts the keys of `GET https://openrouter.ai/api/v1/keys` to keys with the same names and
 * limits. Each gets a new secret, because OpenRouter does not reveal its keys.
 */
import { MAX_KEYS } from '../../accounts/account.ts';
import { endsOf, hashHex } from '../../accounts/api-key.ts';
import type { LimitsChange } from '../../accounts/limits/limits.ts';
import type { Secret } from '../../config/secret.ts';
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import type { CapWindow } from '../../ledger/ledger.ts';
import { ZERO } from '../../money/amount.ts';
import { amountIn, instantIn, isSet, numberIn, textIn } from '../json-values.ts';
import type { Left, MovedKey } from '../move-in.ts';
import { refOf } from '../refs.ts';
import { shownName } from '../source-tables.ts';

export type ReadKeys = {
  readonly keys: readonly MovedKey[];
  /** The new secret of each key, by the key's ref (its name at the source). */
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly left: readonly Left[];
};

const WINDOWS: ReadonlyMap<string, CapWindow> = new Map([
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
]);

/** Checks a parsed answer. @returns null if the value is not OpenRouter's list of keys. */
export function keyListOf(value: unknown): readonly JsonObject[] | null {
  const data = asJsonObject(value)?.['data'];
  if (!Array.isArray(data)) return null;
  const keys = asArray(data).map((each) => asJsonObject(each) ?? {});
  return keys.every((key) => textIn(key, 'hash') !== null) ? keys : null;
}

/** Converts the keys in the list. @param newSecret creates a new key in this gateway's format. */
export function keysOf(
  list: readonly JsonObject[],
  nowMs: number,
  newSecret: () => Secret,
): ReadKeys {
  const keys: MovedKey[] = [];
  const secrets = new Map<string, Secret>();
  const left: Left[] = [];
  for (const row of list) {
    const id = textIn(row, 'hash') ?? '';
    const name = shownName(textIn(row, 'name') ?? textIn(row, 'label') ?? '', 'OpenRouter');
    const leave = (reason: string): void => void left.push({ what: 'key', name, reason });
    const expiresAtMs = instantIn(row, 'expires_at');
    if (expiresAtMs !== null && expiresAtMs <= nowMs) {
      leave('The key has expired.');
      continue;
    }
    if (keys.length === MAX_KEYS) {
      leave(`An account has at most ${MAX_KEYS} keys.`);
      continue;
    }
    const reset = textIn(row, 'limit_reset');
    const secret = newSecret();
    // Uses the hash only as the key's ref, not to recognize the key: OpenRouter documents it only
    // as an id.
    const ref = refOf('key', id);
    secrets.set(ref, secret);
    keys.push({
      ...{ ref, name, hash: hashHex(secret.reveal()), form: null, ...endsOf(secret) },
      ...{ disabled: row['disabled'] === true, expiresAtMs, limits: limitsOf(row, reset) },
    });
    if (isSet(row['include_byok_in_limit']))
      leave(
        "Its limit also counts calls with the user's own provider keys, which do not exist here.",
      );
  }
  return { keys, secrets, left };
}

/** Returns the limits of a key. A limit that is never reset becomes a cap of what remains of it. */
function limitsOf(row: JsonObject, reset: string | null): LimitsChange {
  const window = WINDOWS.get(reset ?? '') ?? 'total';
  // What remains is negative if the last request cost more than was left.
  const isSpent = (numberIn(row, 'limit_remaining') ?? 0) < 0;
  const left = isSpent ? ZERO : amountIn(row, 'limit_remaining');
  const limit = (window === 'total' ? left : null) ?? amountIn(row, 'limit');
  return limit === null ? {} : { spend: { [window]: limit } };
}
