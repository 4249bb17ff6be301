/**
 * Two-factor authentication. The store contains all secrets only encrypted. Each code is accepted
 * once.
 */
import { randomBase62 } from '../accounts/api-key.ts';
import { type Clock, newId } from '../clock.ts';
import { integer, numberOrNull, text } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import type { Encryption } from './encryption.ts';
import { codesLocked, totpIsOn, wrongCode } from './people-errors.ts';
import { isEqual, stepOf, totpUri } from './totp.ts';

const SECRET_CHARS = 32;
const RECOVERY_CODES = 10;
/** The length of a recovery code. It has 59 bits, too many to guess before the lockout. */
const RECOVERY_CHARS = 10;
/** The number of consecutive failures that cause a lockout (NIST SP 800-63B, 5.2.2). */
const MAX_FAILURES = 10;
const LOCKED_FOR_MS = 15 * 60_000;
/**
 * Maximum number of tries to remove a used recovery code. A try fails if another sign-in changes
 * the codes at the same time.
 */
const MAX_TRIES = 3;

export type TotpSecrets = { readonly uri: string; readonly recoveryCodes: readonly string[] };

export type SecondFactorDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly encryption: Encryption;
};

/**
 * Two-factor authentication of people.
 * @throws GatewayError from the methods that decrypt a secret or recovery codes: `internal_error`
 *   if these were encrypted with another console key.
 */
export class SecondFactor {
  readonly #deps: SecondFactorDeps;

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a secret and recovery codes, which `confirm` activates. Replaces those of an earlier
   * call that were not activated.
   * @throws GatewayError `conflict` if an authenticator is active.
   */
  async begin(personId: string, email: string): Promise<TotpSecrets> {
    const { sql, clock, encryption } = this.#deps;
    const secret = randomBase62(clock, SECRET_CHARS);
    const recoveryCodes = this.#drawCodes();
    const written = await sql.query(statement`INSERT INTO totp (id, person_id, secret,
      recovery_codes) VALUES (${newId(clock, 'otp')}, ${personId}, ${encryption.encrypt(secret)},
      ${encryption.encrypt(JSON.stringify(recoveryCodes))}) ON CONFLICT (person_id) DO UPDATE
      SET secret = excluded.secret, recovery_codes = excluded.recovery_codes, failures = 0,
      locked_until_ms = NULL, last_step = NULL WHERE totp.verified = 0 RETURNING id`);
    if (written.length === 0) throw totpIsOn();
    return { uri: totpUri(secret, email), recoveryCodes };
  }

  /**
   * Checks the first code of a new authenticator. Returns the statements that activate the
   * authenticator; the first returns a row if it did.
   * @param onlyIf an SQL condition.
   * @throws GatewayError `wrong_code`.
   */
  async confirm(
    personId: string,
    code: string,
    onlyIf: SqlStatement,
  ): Promise<readonly SqlStatement[]> {
    const row = await this.#row(personId);
    if (row === null || !(await this.#acceptTotp(personId, row, code))) throw wrongCode();
    return [
      statement`UPDATE totp SET verified = 1 WHERE person_id = ${personId}
        AND secret = ${text(row, 'secret')} AND ${onlyIf} RETURNING id`,
      statement`UPDATE person SET totp_enabled = 1, updated_at_ms = ${this.#deps.clock.nowMs()}
        WHERE id = ${personId} AND EXISTS (SELECT 1 FROM totp WHERE person_id = ${personId}
        AND verified = 1)`,
    ];
  }

  /**
   * Returns the statements that remove the authenticator; the first returns a row if it did.
   * @param onlyIf an SQL condition.
   */
  disable(personId: string, onlyIf: SqlStatement): readonly SqlStatement[] {
    return [
      statement`DELETE FROM totp WHERE person_id = ${personId} AND ${onlyIf} RETURNING id`,
      statement`UPDATE person SET totp_enabled = 0, updated_at_ms = ${this.#deps.clock.nowMs()}
        WHERE id = ${personId} AND ${onlyIf}`,
    ];
  }

  /**
   * Checks an authenticator code or a recovery code.
   * @param attempt is called before the check, to count it. It throws after too many attempts in
   *   this sign-in.
   * @throws GatewayError `wrong_code`; `rate_limit_exceeded` while the person is locked out.
   */
  async verify(personId: string, code: string, attempt: () => Promise<void>): Promise<void> {
    const row = await this.#row(personId);
    if (row === null || integer(row, 'verified') === 0n) throw wrongCode();
    const { clock, encryption } = this.#deps;
    // `decrypt` throws if the secret was encrypted with another console key. It is called before
    // the attempt is counted, because the person did not cause this error.
    encryption.decrypt(text(row, 'secret'));
    const lockedUntilMs = numberOrNull(row, 'locked_until_ms');
    if (lockedUntilMs !== null && lockedUntilMs > clock.nowMs()) throw codesLocked();
    await attempt();
    await this.#countFailure(personId);
    const isAccepted = /^\d{6}$/.test(code)
      ? await this.#acceptTotp(personId, row, code)
      : await this.#acceptRecoveryCode(personId, code);
    if (!isAccepted) throw wrongCode();
    await this.#deps.sql.query(statement`UPDATE totp SET failures = 0, locked_until_ms = NULL
      WHERE person_id = ${personId}`);
  }

  /** Draws recovery codes, and returns the statement that replaces the codes by them. */
  renewRecoveryCodes(personId: string, onlyIf: SqlStatement) {
    const codes = this.#drawCodes();
    const encrypted = this.#deps.encryption.encrypt(JSON.stringify(codes));
    const replace = statement`UPDATE totp SET recovery_codes = ${encrypted}
      WHERE person_id = ${personId} AND ${onlyIf} RETURNING id`;
    return { codes, replace };
  }

  async recoveryCodesLeft(personId: string): Promise<number> {
    const row = await this.#row(personId);
    return row === null ? 0 : this.#codesIn(row).length;
  }

  /**
   * Checks a code of the authenticator. Stores the time step of an accepted code, so that the code
   * cannot be used again.
   */
  async #acceptTotp(personId: string, row: SqlRow, code: string): Promise<boolean> {
    const { sql, clock, encryption } = this.#deps;
    const step = stepOf(code, encryption.decrypt(text(row, 'secret')), clock.nowMs());
    if (step === null) return false;
    const accepted = await sql.query(statement`UPDATE totp SET last_step = ${step}
      WHERE person_id = ${personId} AND COALESCE(last_step, 0) < ${step} RETURNING id`);
    return accepted.length > 0;
  }

  /**
   * Checks a recovery code and removes it. Tries again if another sign-in changed the codes at the
   * same time.
   */
  async #acceptRecoveryCode(personId: string, code: string): Promise<boolean> {
    const { sql, encryption } = this.#deps;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const row = await this.#row(personId);
      const codes = row === null ? [] : this.#codesIn(row);
      const left = codes.filter((each) => !isEqual(each, code));
      if (row === null || left.length === codes.length) return false;
      const taken = await sql.query(statement`UPDATE totp SET recovery_codes =
        ${encryption.encrypt(JSON.stringify(left))} WHERE person_id = ${personId}
        AND recovery_codes = ${text(row, 'recovery_codes')} RETURNING id`);
      if (taken.length > 0) return true;
    }
    return false;
  }

  /** Counts a failure before the code is checked, so that concurrent guesses are counted too. */
  async #countFailure(personId: string): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const counted = await this.#deps.sql.query(statement`UPDATE totp SET failures = CASE
      WHEN locked_until_ms IS NULL THEN COALESCE(failures, 0) + 1 ELSE 1 END, locked_until_ms = CASE
      WHEN locked_until_ms IS NULL AND COALESCE(failures, 0) + 1 >= ${MAX_FAILURES}
      THEN CAST(${nowMs + LOCKED_FOR_MS} AS BIGINT) ELSE NULL END WHERE person_id = ${personId}
      AND (locked_until_ms IS NULL OR locked_until_ms <= ${nowMs}) RETURNING id`);
    if (counted.length === 0) throw codesLocked();
  }

  async #row(personId: string): Promise<SqlRow | null> {
    const [row] = await this.#deps.sql.query(statement`SELECT secret, recovery_codes, verified,
      locked_until_ms FROM totp WHERE person_id = ${personId}`);
    return row ?? null;
  }

  #codesIn(row: SqlRow): readonly string[] {
    const codes: unknown = JSON.parse(this.#deps.encryption.decrypt(text(row, 'recovery_codes')));
    if (Array.isArray(codes) && codes.every((code) => typeof code === 'string')) return codes;
    throw new Error('recovery codes in the store are not readable');
  }

  #drawCodes(): readonly string[] {
    return Array.from({ length: RECOVERY_CODES }, () => {
      const code = randomBase62(this.#deps.clock, RECOVERY_CHARS);
      return `${code.slice(0, 5)}-${code.slice(5)}`;
    });
  }
}
