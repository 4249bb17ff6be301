/** Signing in and out: better-auth judges, the guard counts, and what an administrator must know is kept. */

import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { text } from '../store/row.ts';
import type { SqlExecutor } from '../store/sql.ts';
import type { Auth, Entered, Visitor } from './auth.ts';
import { foldedEmail } from './email.ts';
import { signInFailed } from './people-errors.ts';
import type { Sessions } from './sessions.ts';
import type { Guess, SignInGuard } from './sign-in-guard.ts';

export type SignInDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly auth: Pick<Auth, 'signIn' | 'secondStep' | 'signOut'>;
  readonly sessions: Pick<Sessions, 'sweep'>;
  readonly guard: SignInGuard;
};

export class SignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * The first step, which is the last where there is no second. A session that the visitor has is ended.
   * @throws GatewayError `sign_in_failed`, `rate_limit_exceeded`, `store_unavailable`.
   */
  async withPassword(email: string, password: string, visitor: Visitor): Promise<Entered> {
    const { auth, guard } = this.#deps;
    const folded = foldedOrRefused(email);
    const guess = guard.take(folded, visitor.address);
    try {
      const entered = await auth.signIn(folded, password, visitor);
      guess.right();
      await this.#entered(entered, visitor);
      return entered;
    } catch (thrown) {
      const isWrong = thrown instanceof GatewayError && thrown.code === 'sign_in_failed';
      if (!isWrong) guess.giveBack();
      else if (guess.isFirstPause) await this.#tellOfPause(folded, guess, visitor);
      throw thrown;
    }
  }

  /** @throws GatewayError as `Auth.secondStep`. */
  async withCode(code: string, visitor: Visitor): Promise<Entered> {
    const entered = await this.#deps.auth.secondStep(code, visitor);
    await this.#entered(entered, visitor);
    return entered;
  }

  /**
   * Counts somebody who opens an account without an invitation, and does not give it back: whoever does so
   * again and again, or asks that way who has an account, is paused like who guesses.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  countSignUp(email: string, visitor: Visitor): void {
    this.#deps.guard.take(`sign-up of ${email.toLowerCase()}`, visitor.address);
  }

  /** Ends the visitor's session, if there is one. */
  async out(visitor: Visitor): Promise<readonly string[]> {
    return (await this.#deps.auth.signOut(visitor)).cookies;
  }

  async #entered({ personId }: Entered, visitor: Visitor): Promise<void> {
    // Whoever signs in on top of another session leaves that one.
    await this.#deps.auth.signOut(visitor);
    if (personId !== null) await this.#deps.sessions.sweep(personId);
  }

  /** Only of somebody who is there: made-up addresses could fill the log. */
  async #tellOfPause(email: string, { pauseMs }: Guess, visitor: Visitor): Promise<void> {
    const find = { sql: 'SELECT id FROM person WHERE email = $1', params: [email] };
    const [found] = await this.#deps.sql.query(find);
    if (found === undefined) return;
    await this.#deps.sql.transaction([find], {
      atMs: this.#deps.clock.nowMs(),
      actor: 'system',
      action: 'sign_in.pause',
      subject: text(found, 'id'),
      detail: { pause_ms: pauseMs, address: visitor.address },
    });
  }
}

/** What is no address is nobody's, and is answered like any other that is unknown. */
function foldedOrRefused(email: string): string {
  try {
    return foldedEmail(email);
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw signInFailed();
    throw thrown;
  }
}
