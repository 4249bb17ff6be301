/**
 * The challenges that authenticators sign with a passkey. A cookie binds each challenge to the
 * browser that requested it. Only used challenges are stored, so that strangers cannot fill the
 * store by requesting challenges. A sign-in that began on one node can be completed on another.
 */
import { randomBase62 } from '../../accounts/api-key.ts';
import type { Clock } from '../../clock.ts';
import { type SqlStatement, statement } from '../../store/sql.ts';
import { isRecentStamp, newStamp, PASSKEY_COOKIE, type SessionCookies } from '../session-cookie.ts';
import { hashToken, TOKEN_CHARS } from '../sessions.ts';
import { passkeyFailed } from './passkey-errors.ts';

/** How long a challenge is valid. A person needs time to find a phone or a security key. */
export const CHALLENGE_MS = 300_000;

/** The purpose of a challenge: to sign in, or to add a passkey for one person. */
export type Purpose = 'sign in' | `add for ${string}`;

export type Challenge = {
  /** The challenge in base64url. */
  readonly value: string;
  /** The id of the row that records the use of the challenge. */
  readonly id: string;
};

export type PasskeyChallengesDeps = {
  readonly clock: Clock;
  readonly cookies: SessionCookies;
};

export class PasskeyChallenges {
  readonly #deps: PasskeyChallengesDeps;

  constructor(deps: PasskeyChallengesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a new challenge in base64url, and the Set-Cookie line that binds it to the browser. The
   * browser keeps its cookie, because several tabs may wait for a passkey.
   */
  draw(
    purpose: Purpose,
    cookieHeader: string | null,
  ): { readonly value: string; readonly cookie: string } {
    const { clock, cookies } = this.#deps;
    const token = cookies.read(cookieHeader, PASSKEY_COOKIE) ?? randomBase62(clock, TOKEN_CHARS);
    const stamp = newStamp(clock);
    const cookie = cookies.write(PASSKEY_COOKIE, token, CHALLENGE_MS);
    return { value: this.#valueOf(token, purpose, stamp), cookie };
  }

  /**
   * Returns the challenge that the browser should have answered. The caller compares it with the
   * one that the authenticator has signed.
   * @param clientDataJSON the part of the browser's answer that has the challenge.
   * @throws GatewayError `passkey_failed` if no challenge is bound to the browser, if it has
   *   expired, or if the answer has none of ours.
   */
  open(purpose: Purpose, cookieHeader: string | null, clientDataJSON: string): Challenge {
    const { clock, cookies } = this.#deps;
    const token = cookies.read(cookieHeader, PASSKEY_COOKIE);
    if (token === null) throw passkeyFailed('expired');
    const stamp = stampIn(clientDataJSON);
    if (stamp === undefined) throw passkeyFailed('refused');
    if (!isRecentStamp(stamp, clock, CHALLENGE_MS)) throw passkeyFailed('expired');
    const value = this.#valueOf(token, purpose, stamp);
    return { value, id: `chl_${Buffer.from(hashToken(value)).toString('hex')}` };
  }

  /** Returns the Set-Cookie line that removes the challenge from the browser. */
  clear(): string {
    return this.#deps.cookies.clear(PASSKEY_COOKIE);
  }

  /**
   * Returns the statements that record the use of a challenge, unless it was used before. Later
   * statements of the transaction can require with `isUsedBy` that this use was the first.
   * @param use a new id for this use.
   */
  useUp({ id }: Challenge, use: string): readonly SqlStatement[] {
    const nowMs = this.#deps.clock.nowMs();
    return [
      statement`DELETE FROM verification WHERE expires_at_ms <= ${nowMs}`,
      statement`INSERT INTO verification (id, identifier, value, created_at_ms, updated_at_ms,
        expires_at_ms) VALUES (${id}, 'passkey', ${use}, ${nowMs}, ${nowMs},
        ${nowMs + CHALLENGE_MS}) ON CONFLICT (id) DO NOTHING`,
    ];
  }

  #valueOf(token: string, purpose: Purpose, stamp: string): string {
    const proof = this.#deps.cookies.derived(token, `passkey to ${purpose} at ${stamp} with`);
    return Buffer.from(`${stamp} ${proof}`).toString('base64url');
  }
}

/** Returns the stamp of the challenge in a browser's answer; undefined if it has none. */
function stampIn(clientDataJSON: string): string | undefined {
  const said = Buffer.from(clientDataJSON, 'base64url').toString();
  const [, challenge = ''] = /"challenge":\s*"([\w-]+)"/.exec(said) ?? [];
  return /^([A-Za-z0-9]+) /.exec(Buffer.from(challenge, 'base64url').toString())?.[1];
}

/** Returns an SQL condition that is true if `use` was the first use of the challenge. */
export const isUsedBy = ({ id }: Challenge, use: string): SqlStatement =>
  statement`EXISTS (SELECT 1 FROM verification WHERE id = ${id} AND value = ${use})`;
