/**
 * The challenges that authenticators sign with a passkey. A cookie binds each challenge to the
 * browser that requested it. Only used challenges are stored, so that strangers cannot fill the
 * store by requesting challenges. A sign-in that began on one node can be completed on another.
 */
import { randomBase62 } from '../../accounts/api-key.ts';
import type { Clock } from '../../clock.ts';
import { type SqlStatement, statement } from '../../store/sql.ts';
import { PASSKEY_COOKIE, type SessionCookies } from '../session-cookie.ts';
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

  /** Returns a new challenge in base64url, and the Set-Cookie line that binds it to the browser. */
  draw(purpose: Purpose): { readonly value: string; readonly cookie: string } {
    const { clock, cookies } = this.#deps;
    const token = randomBase62(clock, TOKEN_CHARS) + clock.nowMs().toString(36);
    const cookie = cookies.write(PASSKEY_COOKIE, token, CHALLENGE_MS);
    return { value: this.#valueOf(token, purpose), cookie };
  }

  /**
   * Returns the challenge that is bound to the browser.
   * @throws GatewayError `passkey_failed` if no challenge is bound or it has expired.
   */
  open(purpose: Purpose, cookieHeader: string | null): Challenge {
    const { clock, cookies } = this.#deps;
    const token = cookies.read(cookieHeader, PASSKEY_COOKIE);
    if (token === null) throw passkeyFailed('expired');
    const ageMs = clock.nowMs() - Number.parseInt(token.slice(TOKEN_CHARS), 36);
    // The negated form also refuses a token without a time, whose age is NaN.
    if (!(ageMs >= 0 && ageMs <= CHALLENGE_MS)) throw passkeyFailed('expired');
    const id = `chl_${Buffer.from(hashToken(token)).toString('hex')}`;
    return { value: this.#valueOf(token, purpose), id };
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

  #valueOf(token: string, purpose: Purpose): string {
    return this.#deps.cookies.derived(token, `passkey to ${purpose} with`);
  }
}

/** Returns an SQL condition that is true if `use` was the first use of the challenge. */
export const isUsedBy = ({ id }: Challenge, use: string): SqlStatement =>
  statement`EXISTS (SELECT 1 FROM verification WHERE id = ${id} AND value = ${use})`;
