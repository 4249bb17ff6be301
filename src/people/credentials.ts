/** What somebody who is signed in does with their own password and authenticator. */
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { SqlExecutor } from '../store/sql.ts';
import type { Auth, Stepped, TotpSecrets, Visitor } from './auth.ts';
import type { Members } from './members.ts';
import type { OneTimeLinks } from './one-time-links.ts';
import { type PasswordHasher, requireGoodPassword } from './password.ts';
import { linkNotValid, totpIsOff, totpIsOn } from './people-errors.ts';
import type { PersonRecord } from './person.ts';
import type { SignInGuard } from './sign-in-guard.ts';

export type CredentialsDeps = {
  readonly auth: Pick<
    Auth,
    | 'changePassword'
    | 'beginTotp'
    | 'confirmTotp'
    | 'endTotp'
    | 'newRecoveryCodes'
    | 'recoveryCodesLeft'
  >;
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly links: Pick<OneTimeLinks, 'require'>;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly members: Pick<Members, 'note'>;
  /** A session that was left open must not be a way to guess the password. */
  readonly guard: Pick<SignInGuard, 'take'>;
};

/**
 * Where the password is asked for, a wrong one @throws GatewayError `wrong_password`, and many of them
 * `rate_limit_exceeded`.
 */
export class Credentials {
  readonly #deps: CredentialsDeps;

  constructor(deps: CredentialsDeps) {
    this.#deps = deps;
  }

  /** All sessions of theirs end, and a new one begins here. @throws GatewayError `weak_password`. */
  async changePassword(
    person: PersonRecord,
    { current, next }: { readonly current: string; readonly next: string },
    visitor: Visitor,
  ): Promise<Stepped> {
    requireGoodPassword(next, person.email, 'new_password');
    const { auth, members } = this.#deps;
    const done = await this.#proved(person, visitor, () =>
      auth.changePassword(current, next, visitor),
    );
    await members.note(person.id, 'person.password');
    return done;
  }

  /** Shows the authenticator's secret; it counts once a code of it was right. @throws GatewayError `conflict`. */
  async beginTotp(person: PersonRecord, password: string, visitor: Visitor): Promise<TotpSecrets> {
    if (person.totpEnabled) throw totpIsOn();
    return await this.#proved(person, visitor, () => this.#deps.auth.beginTotp(password, visitor));
  }

  /** @throws GatewayError `wrong_code`, `conflict` (it is confirmed already). */
  async confirmTotp(person: PersonRecord, code: string, visitor: Visitor): Promise<Stepped> {
    if (person.totpEnabled) throw totpIsOn();
    const done = await this.#deps.auth.confirmTotp(code, visitor);
    await this.#deps.members.note(person.id, 'person.totp_on');
    return done;
  }

  /** @throws GatewayError `conflict`. */
  async endTotp(person: PersonRecord, password: string, visitor: Visitor): Promise<Stepped> {
    if (!person.totpEnabled) throw totpIsOff();
    const done = await this.#proved(person, visitor, () =>
      this.#deps.auth.endTotp(password, visitor),
    );
    await this.#deps.members.note(person.id, 'person.totp_off');
    return done;
  }

  /** @throws GatewayError `conflict`. */
  async newRecoveryCodes(
    person: PersonRecord,
    password: string,
    visitor: Visitor,
  ): Promise<readonly string[]> {
    if (!person.totpEnabled) throw totpIsOff();
    const codes = await this.#proved(person, visitor, () =>
      this.#deps.auth.newRecoveryCodes(password, visitor),
    );
    await this.#deps.members.note(person.id, 'person.recovery_codes');
    return codes;
  }

  async recoveryCodesLeft({ id, totpEnabled }: PersonRecord): Promise<number> {
    return totpEnabled ? await this.#deps.auth.recoveryCodesLeft(id) : 0;
  }

  /**
   * Sets a new password by a link, and ends all sessions of theirs.
   * @returns the address it is for.
   * @throws GatewayError `link_not_valid`, `weak_password`.
   */
  async resetPassword(token: string, password: string): Promise<string> {
    const { sql, clock, hasher, links } = this.#deps;
    const { id, personId, email } = await links.require(token, 'password_reset');
    if (personId === null || email === null) throw linkNotValid();
    requireGoodPassword(password, email, 'password');
    const passwordHash = await hasher.hash(password);
    const atMs = clock.nowMs();
    const use = newId(clock, 'use');
    const [claimed = []] = await sql.transaction(
      [
        {
          sql: `UPDATE one_time_link SET used_at_ms = $1, used_by = $2
            WHERE id = $3 AND used_at_ms IS NULL AND expires_at_ms > $1 RETURNING id`,
          params: [atMs, use, id],
        },
        {
          sql: `UPDATE credential SET password_hash = $1, updated_at_ms = $2 WHERE person_id =
            (SELECT person_id FROM one_time_link WHERE used_by = $3)`,
          params: [passwordHash, atMs, use],
        },
        {
          sql: `DELETE FROM session WHERE person_id =
            (SELECT person_id FROM one_time_link WHERE used_by = $1)`,
          params: [use],
        },
      ],
      {
        atMs,
        actor: personId,
        action: 'person.reset_password',
        subject: personId,
        detail: { link_id: id },
      },
    );
    if (claimed.length === 0) throw linkNotValid();
    return email;
  }

  /** Counts as a guess of the password, given back unless it was a wrong one. */
  async #proved<Done>(
    { email }: PersonRecord,
    visitor: Visitor,
    work: () => Promise<Done>,
  ): Promise<Done> {
    const guess = this.#deps.guard.take(email, visitor.address);
    try {
      const done = await work();
      guess.right();
      return done;
    } catch (thrown) {
      if (!(thrown instanceof GatewayError && thrown.code === 'wrong_password')) guess.giveBack();
      throw thrown;
    }
  }
}
