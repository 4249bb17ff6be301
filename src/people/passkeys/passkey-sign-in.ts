/**
 * Signs people in with a passkey. The authenticator has verified the person by fingerprint, face or
 * PIN. So a passkey counts as two-factor authentication, and no code is required.
 */
import { type Clock, newId } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { text } from '../../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, statement } from '../../store/sql.ts';
import { hashToken, type Visitor } from '../sessions.ts';
import type { SignIn, SignInResult } from '../sign-in.ts';
import type { SignInGuard } from '../sign-in-guard.ts';
import { type Challenge, isUsedBy, type PasskeyChallenges } from './passkey-challenges.ts';
import { passkeyFailed } from './passkey-errors.ts';
import { type PasskeyAnswer, type RelyingParty, userHandleOf } from './relying-party.ts';

export type PasskeySignInDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly party: Pick<RelyingParty, 'request' | 'signed'>;
  readonly challenges: PasskeyChallenges;
  readonly guard: Pick<SignInGuard, 'take'>;
  readonly signIn: Pick<SignIn, 'byPasskey'>;
};

export class PasskeySignIn {
  readonly #deps: PasskeySignInDeps;

  constructor(deps: PasskeySignInDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the options and the cookie with which the browser signs in.
   * @throws GatewayError `passkey_failed` if passkeys are off or the host is an IP address.
   */
  begin({ cookie: known }: Pick<Visitor, 'cookie'>) {
    const { challenges, party } = this.#deps;
    const { value, cookie } = challenges.draw('sign in', known);
    return { options: party.request(value), cookies: [cookie] };
  }

  /**
   * Checks the browser's answer and signs the person in.
   * @throws GatewayError `passkey_failed`, `rate_limit_exceeded`.
   */
  async finish(answer: PasskeyAnswer, visitor: Visitor): Promise<SignInResult> {
    const { guard, challenges, signIn } = this.#deps;
    // Passkeys cannot be guessed. The rate limit prevents strangers from causing too many checks.
    const name = Buffer.from(hashToken(answer.id)).toString('hex');
    const guess = guard.take(`passkey ${name}`, visitor.address);
    try {
      const challenge = challenges.open('sign in', visitor.cookie, answer.response.clientDataJSON);
      const person = await this.#personOf(answer, challenge);
      const result = await signIn.byPasskey(person, visitor);
      guess.right();
      return { ...result, cookies: [...result.cookies, challenges.clear()] };
    } catch (thrown) {
      const isWrong = thrown instanceof GatewayError && thrown.code === 'passkey_failed';
      if (!isWrong) guess.giveBack();
      throw thrown;
    }
  }

  async #personOf(answer: PasskeyAnswer, challenge: Challenge) {
    const { sql, party } = this.#deps;
    const [row] = await sql.query(statement`SELECT passkey.id, passkey.public_key,
      passkey.person_id, person.email FROM passkey JOIN person ON person.id = passkey.person_id
      WHERE passkey.credential_id = ${answer.id}`);
    if (row === undefined) throw passkeyFailed('unknown');
    const personId = text(row, 'person_id');
    if (answer.response.userHandle !== userHandleOf(personId)) throw passkeyFailed('refused');
    const key = { credentialId: answer.id, publicKey: publicKeyIn(row) };
    const uses = await party.signed(answer, challenge.value, key);
    await this.#count(text(row, 'id'), uses, challenge);
    return { id: personId, email: text(row, 'email'), passkeyId: text(row, 'id') };
  }

  /**
   * Records the use of the challenge, and stores the signature counter.
   * @throws GatewayError `passkey_failed` if the challenge was used before, or if the authenticator
   *   counts signatures and the counter has not increased (Web Authentication, 7.2).
   */
  async #count(id: string, uses: number, challenge: Challenge): Promise<void> {
    const { sql, clock, challenges } = this.#deps;
    const use = newId(clock, 'use');
    const isNext = uses === 0 ? raw('uses = 0') : statement`uses < ${uses}`;
    const rows = await sql.transaction([
      ...challenges.useUp(challenge, use),
      statement`UPDATE passkey SET uses = ${uses}, last_used_at_ms = ${clock.nowMs()}
        WHERE id = ${id} AND ${isUsedBy(challenge, use)} AND ${isNext} RETURNING id`,
    ]);
    if (rows.at(-1)?.length === 1) return;
    const [left] = await sql.query(statement`SELECT id FROM passkey WHERE id = ${id}
      AND ${isUsedBy(challenge, use)}`);
    throw passkeyFailed(left === undefined ? 'expired' : 'counter');
  }
}

function publicKeyIn(row: SqlRow): Uint8Array {
  const key = row['public_key'];
  if (key instanceof Uint8Array) return key;
  throw new Error('column public_key is not binary');
}
