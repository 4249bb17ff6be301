/**
 * How people come to be here: the first administrator by the link of the log, others by invitation, or by
 * themselves where sign-up is open; and how somebody comes back who has forgotten the password. Nobody is
 * signed in by this: they do that with the password they have just set.
 */

import { type Clock, newId } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import type { AuditAction, AuditDetail, AuditEntry } from '../ledger/audit.ts';
import type { SqlExecutor, SqlStatement } from '../ledger/database.ts';
import { text } from '../ledger/row.ts';
import { foldedEmail } from './email.ts';
import {
  claimLink,
  ifClaimedFor,
  ifNobodys,
  insertAccount,
  insertCredential,
  insertPerson,
  type NewPerson,
} from './new-person.ts';
import { type NewLink, type OneTimeLinks, SETUP_MS } from './one-time-links.ts';
import { requireGoodPassword } from './password.ts';
import type { PasswordHasher } from './password-hash.ts';
import { emailTaken, linkNotValid, otherEmail, setupDone, signUpClosed } from './people-errors.ts';
import type { Role } from './person.ts';
import type { LinkKind, LinkRecord } from './person-records.ts';

/** What somebody says of themselves. */
export type Newcomer = {
  readonly email: string;
  readonly name: string;
  readonly password: string;
};

export type JoiningDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly links: OneTimeLinks;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly signUp: 'closed' | 'open';
};

type Place = {
  readonly role: Role;
  readonly accountId: string;
  readonly newAccount: string | null;
};

/** Every method @throws GatewayError `store_unavailable`, and `rate_limit_exceeded` when too many set passwords. */
export class Joining {
  readonly #deps: JoiningDeps;
  /** Once there is an administrator there is always one: the last one stays. */
  #isSetUp = false;

  constructor(deps: JoiningDeps) {
    this.#deps = deps;
  }

  /** Whether nobody is administrator yet. */
  async setupNeeded(): Promise<boolean> {
    if (this.#isSetUp) return false;
    const found = await this.#deps.sql.query({
      sql: "SELECT id FROM person WHERE role = 'administrator' LIMIT 1",
      params: [],
    });
    this.#isSetUp = found.length > 0;
    return !this.#isSetUp;
  }

  /**
   * The link that makes the first administrator; those before it no longer work.
   * @throws GatewayError `conflict` when there is one.
   */
  async newSetupLink(actor: string): Promise<NewLink> {
    if (!(await this.setupNeeded())) throw setupDone();
    const { insert, ...link } = this.#deps.links.draw(
      { kind: 'setup' },
      { madeBy: actor, lifetimeMs: SETUP_MS },
    );
    const replace = {
      sql: "DELETE FROM one_time_link WHERE kind = 'setup' AND used_at_ms IS NULL",
      params: [],
    };
    const entry = this.#entry(actor, 'setup_link.create', link.id, {});
    await this.#deps.sql.transaction([replace, insert], entry);
    return link;
  }

  /**
   * The first administrator, in the first account there is.
   * @returns their address, as it is kept.
   * @throws GatewayError `conflict` (there is one), `link_not_valid`, `weak_password`, `invalid_value`.
   */
  async setUp(token: string, newcomer: Newcomer): Promise<string> {
    if (!(await this.setupNeeded())) throw setupDone();
    const link = await this.#setupLink(token);
    const [first] = await this.#deps.sql.query({
      sql: 'SELECT id FROM account ORDER BY id LIMIT 1',
      params: [],
    });
    const place: Place = {
      role: 'administrator',
      accountId: first === undefined ? newId(this.#deps.clock, 'acc') : text(first, 'id'),
      newAccount: first === undefined ? newcomer.name : null,
    };
    return await this.#join('person.setup', newcomer, place, link);
  }

  async #setupLink(token: string): Promise<LinkRecord> {
    try {
      return await this.#open(token, 'setup');
    } catch (thrown) {
      // Whoever was faster in this moment used the link: then it is the setup that is over.
      throw (await this.setupNeeded()) ? thrown : setupDone();
    }
  }

  /**
   * @returns their address, as it is kept.
   * @throws GatewayError `link_not_valid`, `invalid_value` (email: it is for another), `email_taken`,
   *   `weak_password`.
   */
  async accept(token: string, newcomer: Newcomer): Promise<string> {
    const link = await this.#open(token, 'invitation');
    const { role, email, accountId, accountName } = link;
    if (role === null) throw linkNotValid();
    if (email !== null && email !== foldedEmail(newcomer.email)) throw otherEmail();
    const place: Place = {
      role,
      accountId: accountId ?? newId(this.#deps.clock, 'acc'),
      newAccount: accountId === null ? (accountName ?? newcomer.name) : null,
    };
    return await this.#join('person.join', newcomer, place, link);
  }

  /**
   * A new account, and its owner.
   * @param accountName null: the person's name.
   * @throws GatewayError `not_allowed` where sign-up is closed, `email_taken`, `weak_password`,
   *   `invalid_value`.
   */
  async signUp(newcomer: Newcomer, accountName: string | null): Promise<string> {
    if (this.#deps.signUp === 'closed') throw signUpClosed();
    const place: Place = {
      role: 'owner',
      accountId: newId(this.#deps.clock, 'acc'),
      newAccount: accountName ?? newcomer.name,
    };
    return await this.#join('person.sign_up', newcomer, place, null);
  }

  /**
   * Sets a new password by a link, and ends all sessions of theirs.
   * @returns the address it is for.
   * @throws GatewayError `link_not_valid`, `weak_password`.
   */
  async resetPassword(token: string, password: string): Promise<string> {
    const { sql, clock, hasher } = this.#deps;
    const { id, personId, email } = await this.#open(token, 'password_reset');
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
      this.#entry(personId, 'person.reset_password', personId, { link_id: id }),
    );
    if (claimed.length === 0) throw linkNotValid();
    return email;
  }

  async #open(token: string, kind: LinkKind): Promise<LinkRecord> {
    const link = await this.#deps.links.open(token);
    if (link === null || link.kind !== kind) throw linkNotValid();
    return link;
  }

  /** @param link null: they come without one, and only the address decides. */
  async #join(
    action: AuditAction,
    newcomer: Newcomer,
    place: Place,
    link: LinkRecord | null,
  ): Promise<string> {
    const { sql, clock, hasher } = this.#deps;
    const email = foldedEmail(newcomer.email);
    requireGoodPassword(newcomer.password, email, 'password');
    if (await this.#isTaken(email)) throw emailTaken();
    const person: NewPerson = {
      id: newId(clock, 'usr'),
      credentialId: newId(clock, 'crd'),
      email,
      name: newcomer.name.trim(),
      role: place.role,
      accountId: place.accountId,
      passwordHash: await hasher.hash(newcomer.password),
      atMs: clock.nowMs(),
    };
    const entry = this.#entry(person.id, action, person.id, {
      email,
      role: place.role,
      account_id: place.accountId,
      is_new_account: place.newAccount !== null,
      link_id: link?.id ?? null,
    });
    const statements = this.#statements(person, place, link);
    try {
      const [decided = []] = await sql.transaction(statements, entry);
      if (decided.length > 0) return email;
    } catch (thrown) {
      // Somebody else came with this address in the same moment: the store keeps the second out.
      if (await this.#isTaken(email)) throw emailTaken();
      throw thrown;
    }
    throw await this.#lost(email, link);
  }

  #statements(person: NewPerson, place: Place, link: LinkRecord | null): readonly SqlStatement[] {
    const { id, email, atMs } = person;
    const condition = link === null ? ifNobodys(email) : ifClaimedFor(id);
    const account = {
      id: place.accountId,
      name: place.newAccount ?? '',
      revision: newId(this.#deps.clock, 'rev'),
      atMs,
    };
    const isSetup = link?.kind === 'setup';
    return [
      ...(link === null
        ? []
        : [
            claimLink({ linkId: link.id, personId: id, email, atMs, unlessAdministrator: isSetup }),
          ]),
      ...(place.newAccount === null ? [] : [insertAccount(account, condition)]),
      insertPerson(person, condition),
      insertCredential(person),
    ];
  }

  async #lost(email: string, link: LinkRecord | null): Promise<GatewayError> {
    if (link?.kind === 'setup' && !(await this.setupNeeded())) return setupDone();
    return (await this.#isTaken(email)) ? emailTaken() : linkNotValid();
  }

  async #isTaken(email: string): Promise<boolean> {
    const found = await this.#deps.sql.query({
      sql: 'SELECT id FROM person WHERE email = $1',
      params: [email],
    });
    return found.length > 0;
  }

  #entry(actor: string, action: AuditAction, subject: string, detail: AuditDetail): AuditEntry {
    return { atMs: this.#deps.clock.nowMs(), actor, action, subject, detail };
  }
}
