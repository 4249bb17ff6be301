/**
 * SQL that prevents an account from losing its last owner, and the installation from losing its
 * last administrator.
 */
import { type SqlStatement, statement } from '../../store/sql.ts';
import { isAtLeast, type PersonRecord, type Role } from '../person.ts';

/**
 * The names of two SQL columns: the id of the person who leaves or changes role, and the id of the
 * account. They are columns of `person` if this is the person's main account, and columns of
 * `membership` if it is a further account.
 */
type Self = { readonly person: string; readonly account: string };

const MAIN: Self = { person: 'person.id', account: 'person.account_id' };
const FURTHER: Self = { person: 'membership.person_id', account: 'membership.account_id' };
const MINE: Self = { person: 'mine.person_id', account: 'mine.account_id' };

/**
 * Returns an SQL condition that is false if the change would leave an account with people but
 * without an owner, or the installation without an administrator. The condition begins with `AND`.
 * It is empty if the change cannot have these effects.
 * @param role the new role; null if the person leaves the account.
 */
export function guardOf(was: PersonRecord, role: Role | null, accountId: string | null): string {
  const self = was.isFurther ? FURTHER : MAIN;
  const guards: string[] = [];
  if (was.role === 'administrator' && role !== 'administrator') {
    guards.push(`EXISTS (SELECT 1 FROM person AS other WHERE other.id <> person.id
      AND other.role = 'administrator')`);
  }
  const staysOwner = role !== null && isAtLeast(role, 'owner') && accountId === was.accountId;
  if (isAtLeast(was.role, 'owner') && !staysOwner) {
    // The only person in an account may leave it, because nobody is left who needs an owner. An
    // owner who stays may lose the role only if another person is an owner.
    const leaves = role === null || accountId !== was.accountId;
    guards.push(leaves ? leavesAnOwner(self) : otherOwners(self));
  }
  return guards.map((guard) => `AND ${guard}`).join(' ');
}

/**
 * An SQL condition for the removal of a person. It is true if each of the person's further accounts
 * keeps an owner or has no other people.
 */
export const FURTHER_ACCOUNTS_KEEP_OWNERS = `AND NOT EXISTS (SELECT 1 FROM membership AS mine
  WHERE mine.person_id = person.id AND mine.role = 'owner' AND NOT ${leavesAnOwner(MINE)})`;

function leavesAnOwner(self: Self): string {
  return `(${otherOwners(self)} OR NOT ${others(self, '', '')})`;
}

function otherOwners(self: Self): string {
  return others(self, "AND other.role IN ('owner', 'administrator')", "AND further.role = 'owner'");
}

/**
 * Returns an SQL condition that is true if other people belong to the account. `ofMain` is an
 * additional condition on people whose main account this is. `ofFurther` is an additional condition
 * on people who joined this account as a further one.
 */
function others({ person, account }: Self, ofMain: string, ofFurther: string): string {
  return `(EXISTS (SELECT 1 FROM person AS other WHERE other.id <> ${person}
      AND other.account_id = ${account} ${ofMain})
    OR EXISTS (SELECT 1 FROM membership AS further WHERE further.person_id <> ${person}
      AND further.account_id = ${account} ${ofFurther}))`;
}

/**
 * Updates one particular row, and so makes changes of roles and accounts wait for each other.
 * Otherwise two owners who remove each other's role at the same time could both succeed, and an
 * owner could delete a person who joins another account at that moment.
 */
export const SERIALIZE_ROLE_CHANGES: SqlStatement = statement`UPDATE account SET name = name
  WHERE id = (SELECT MIN(id) FROM account)`;
