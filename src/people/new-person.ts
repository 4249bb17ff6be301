/**
 * How somebody comes to be: the statements of one transaction, each of which does something only if the
 * one before it did. The first decides, on its own row, so that of two at once one wins.
 */
import type { SqlStatement } from '../ledger/database.ts';
import type { Role } from './person.ts';

export type NewPerson = {
  readonly id: string;
  readonly credentialId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly accountId: string;
  readonly passwordHash: string;
  readonly atMs: number;
};
export type NewOwnAccount = {
  readonly id: string;
  readonly name: string;
  readonly revision: string;
  readonly atMs: number;
};

/**
 * Takes a link for `personId`, unless it no longer works or the address is somebody's.
 * @param unlessAdministrator only while nobody is administrator: for the first one.
 */
export const claimLink = (claim: {
  readonly linkId: string;
  readonly personId: string;
  readonly email: string;
  readonly atMs: number;
  readonly unlessAdministrator: boolean;
}): SqlStatement => ({
  sql: `UPDATE one_time_link SET used_at_ms = $1, used_by = $2
    WHERE id = $3 AND used_at_ms IS NULL AND expires_at_ms > $1
      AND NOT EXISTS (SELECT 1 FROM person WHERE email = $4)
      ${claim.unlessAdministrator ? "AND NOT EXISTS (SELECT 1 FROM person WHERE role = 'administrator')" : ''}
    RETURNING id`,
  params: [claim.atMs, claim.personId, claim.linkId, claim.email],
});

/** On what a row is written; its one value is bound as placeholder `at`. */
type Condition = { readonly sql: (at: number) => string; readonly value: string };

/** That `claimLink` took a link for the person. */
export const ifClaimedFor = (personId: string): Condition => ({
  sql: (at) => `EXISTS (SELECT 1 FROM one_time_link WHERE used_by = $${at})`,
  value: personId,
});
/** That the address is nobody's: for those who come without a link. */
export const ifNobodys = (email: string): Condition => ({
  sql: (at) => `NOT EXISTS (SELECT 1 FROM person WHERE email = $${at})`,
  value: email,
});

export const insertAccount = (account: NewOwnAccount, condition: Condition): SqlStatement => ({
  sql: `INSERT INTO account (id, name, status, allow_exchange, created_at_ms, limits, revision)
    SELECT $1, $2, 'active', 1, $3, '{}', $4 WHERE ${condition.sql(5)} RETURNING id`,
  params: [account.id, account.name, account.atMs, account.revision, condition.value],
});

export const insertPerson = (person: NewPerson, condition: Condition): SqlStatement => ({
  sql: `INSERT INTO person (id, account_id, role, email, name, created_at_ms, updated_at_ms)
    SELECT $1, $2, $3, $4, $5, $6, $6 WHERE ${condition.sql(7)} RETURNING id`,
  params: [
    ...[person.id, person.accountId, person.role, person.email, person.name, person.atMs],
    condition.value,
  ],
});

export const insertCredential = (person: NewPerson): SqlStatement => ({
  sql: `INSERT INTO credential
      (id, person_id, subject, provider, password_hash, created_at_ms, updated_at_ms)
    SELECT $1, $2, $2, 'credential', $3, $4, $4 WHERE EXISTS (SELECT 1 FROM person WHERE id = $2)
    RETURNING id`,
  params: [person.credentialId, person.id, person.passwordHash, person.atMs],
});
