/**
 * The spending caps of an account's members, and what members have spent. A cap covers all API keys
 * that the member created in the account, so the spending of these keys is summed. The ledger
 * enforces the caps. When a member leaves, the cap stays, because the keys stay too.
 */
import { differences } from '../../accounts/account-change.ts';
import { capsBody, changedCaps, type SpendCaps } from '../../accounts/limits/limits.ts';
import {
  capsOf,
  meterOf,
  type SpendWindows,
  spendWindows,
} from '../../accounts/limits/spend-windows.ts';
import {
  entityTag,
  type IfMatch,
  requireMatch,
  retryOnConflict,
} from '../../accounts/optimistic-update.ts';
import { type Clock, newId } from '../../clock.ts';
import type { HeldInMemory } from '../../ledger/held-in-memory.ts';
import type { NanoAmount } from '../../money/amount.ts';
import { type Days, daysAt } from '../../money/calendar.ts';
import { auditEntry } from '../../store/audit.ts';
import { text, textOrNull } from '../../store/row.ts';
import {
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../../store/sql.ts';
import { noSuchPerson } from '../people-errors.ts';
import { PLACES } from '../person-store.ts';

/** The periods of a member's caps. Unlike keys, members have no cap on their total spending. */
export const MEMBER_WINDOWS = ['day', 'week', 'month'] as const;

/** A person and an account that the person has joined or left. */
export type MemberPlace = { readonly personId: string; readonly accountId: string };
export type MemberBudget = {
  readonly spend: SpendWindows;
  /** The revision of the stored caps; null if none are stored. */
  readonly revision: string | null;
};
/** A budget with the person's name, which is null if the person has left the account. */
export type NamedBudget = MemberBudget & { readonly name: string | null };
/** The caps to change. Null removes a cap. An absent cap stays unchanged. */
export type MemberCapsChange = {
  readonly [Window in (typeof MEMBER_WINDOWS)[number]]?: NanoAmount | null | undefined;
};

export type MemberCapsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly inMemory: HeldInMemory;
};

/** Every method @throws GatewayError `store_unavailable` when the store does not answer. */
export class MemberCaps {
  readonly #deps: MemberCapsDeps;

  constructor(deps: MemberCapsDeps) {
    this.#deps = deps;
  }

  /**
   * Reads the budgets of at most one page of people. Returns a function that looks up the budget of
   * each.
   */
  async ofEach(places: readonly MemberPlace[]): Promise<(place: MemberPlace) => MemberBudget> {
    const { sql, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const [caps, spent] = await Promise.all(
      places.length === 0
        ? []
        : [sql.query(capsIn(places)), sql.query(spentBy(places, daysAt(nowMs)))],
    );
    const [capsAt, spentAt] = [byPlace(caps ?? []), byPlace(spent ?? [])];
    const held = await this.#heldInMemory(places.filter((place) => capsAt.has(nameOf(place))));
    return (place) => {
      const name = nameOf(place);
      const row = { ...NOTHING_SPENT, ...NO_CAP, ...spentAt.get(name), ...capsAt.get(name) };
      return {
        spend: spendWindows(meterOf(row, held.get(name) ?? 0n), nowMs),
        revision: capsAt.has(name) ? text(row, 'revision') : null,
      };
    };
  }

  /** Returns the budget of a person, or null if the person has no cap in the account. */
  async capped(place: MemberPlace): Promise<MemberBudget | null> {
    const rows = await this.#deps.sql.query(statement`SELECT person_id FROM member_cap
      WHERE account_id = ${place.accountId} AND person_id = ${place.personId}`);
    return rows.length === 0 ? null : await this.#of(place);
  }

  /**
   * Returns the budget of a person who is in the account, or who has keys or caps in it.
   * @throws GatewayError `not_found` for any other person.
   */
  async get(place: MemberPlace): Promise<NamedBudget> {
    const { accountId, personId } = place;
    const [row] = await this.#deps.sql.query(statement`SELECT
        (SELECT person.name FROM ${raw(PLACES)} WHERE place.account_id = ${accountId}
          AND place.person_id = ${personId}) AS name
      WHERE EXISTS (SELECT 1 FROM ${raw(PLACES)} WHERE place.account_id = ${accountId}
          AND place.person_id = ${personId})
        OR EXISTS (SELECT 1 FROM api_key WHERE account_id = ${accountId}
          AND created_by = ${personId})
        OR EXISTS (SELECT 1 FROM member_cap WHERE account_id = ${accountId}
          AND person_id = ${personId})`);
    if (row === undefined) throw noSuchPerson();
    const name = textOrNull(row, 'name');
    return { ...(await this.#of(place)), name };
  }

  /**
   * Changes the caps of a person. The person may have left the account, but must still have keys or
   * caps in it.
   * @throws GatewayError `not_found`, `revision_changed`; `conflict` after too many concurrent
   *   changes.
   */
  async change(
    place: MemberPlace,
    change: MemberCapsChange,
    actor: string,
    ifMatch: IfMatch = null,
  ): Promise<NamedBudget> {
    const { sql, clock } = this.#deps;
    return await retryOnConflict(async () => {
      const was = await this.get(place);
      requireMatch(ifMatch, budgetTag(was));
      const before = capsOf(was.spend);
      const caps = changedCaps(before, { spend: change });
      const detail = differences(capsBody(before), capsBody(caps));
      if (detail === null) return was;
      const { accountId, personId } = place;
      const entry = auditEntry(clock, actor, 'person.limits', personId, {
        account_id: accountId,
        ...detail,
      });
      const write = writeOf(place, was.revision, caps, newId(clock, 'rev'));
      const [written = []] = await sql.transaction([write], entry);
      // Does not call `get`, because it would not find a person who has left the account and now
      // has neither keys nor caps in it.
      return written.length > 0 ? { ...(await this.#of(place)), name: was.name } : null;
    });
  }

  async #of(place: MemberPlace): Promise<MemberBudget> {
    return (await this.ofEach([place]))(place);
  }

  /**
   * Sums, for each person, the amounts that the person's keys hold in the memory of this process.
   * Revoked keys are left out: only their last requests still hold money, and an account may have
   * any number of such keys.
   */
  async #heldInMemory(places: readonly MemberPlace[]): Promise<ReadonlyMap<string, bigint>> {
    const held = new Map<string, bigint>();
    if (places.length === 0) return held;
    const keys = await this.#deps.sql.query(statement`SELECT id, account_id,
        created_by AS person_id FROM api_key
      WHERE created_by IS NOT NULL AND (account_id, created_by) IN (${listOf(places)})
        AND status <> 'revoked'`);
    for (const key of keys) {
      const name = nameOf(placeOf(key));
      const ofKey = this.#deps.inMemory.meter(text(key, 'account_id'), text(key, 'id'));
      held.set(name, (held.get(name) ?? 0n) + ofKey);
    }
    return held;
  }
}

/** Returns the entity tag of a person's caps in an account. */
export const budgetTag = ({ spend }: Pick<MemberBudget, 'spend'>): string =>
  entityTag({ spend: capsBody(capsOf(spend)) });

const NOTHING_SPENT = {
  ...{ day: 0n, week: 0n, month: 0n, held: 0n, total: 0n },
  ...{ in_day: 0n, in_week: 0n, in_month: 0n },
};
const NO_CAP = { cap_day: null, cap_week: null, cap_month: null, cap_total: null };

const capsIn = (places: readonly MemberPlace[]): SqlStatement => statement`SELECT * FROM member_cap
  WHERE (account_id, person_id) IN (${listOf(places)})`;

/**
 * Returns a query that sums, for each person, what the keys that the person created have spent,
 * including revoked keys. A sum of a period omits amounts of earlier periods. Its columns are those
 * of `spend_meter`. CROSS JOIN makes SQLite start with the people, not with the keys of all
 * accounts.
 */
const spentBy = (places: readonly MemberPlace[], days: Days): SqlStatement => statement`
  SELECT api_key.account_id, api_key.created_by AS person_id, ${sumsOf(days)}
  FROM (${listOf(places)}) AS asked CROSS JOIN api_key CROSS JOIN spend_meter
  WHERE api_key.account_id = asked.column1 AND api_key.created_by = asked.column2
    AND spend_meter.owner_id = api_key.id
  GROUP BY api_key.account_id, api_key.created_by`;

/**
 * Returns a query for a page of the members who have caps and keys, sorted, starting after the
 * member `after`. Each row has what the member's keys have spent, the caps, and the member's name,
 * which is null if the member has left. Members of suspended accounts are left out.
 */
export const cappedAfter = (
  after: MemberPlace,
  days: Days,
  rows: number,
): SqlStatement => statement`
  SELECT member_cap.account_id, member_cap.person_id, member_cap.cap_day, member_cap.cap_week,
    member_cap.cap_month, ${sumsOf(days)},
    (SELECT person.name FROM ${raw(PLACES)} WHERE place.account_id = member_cap.account_id
      AND place.person_id = member_cap.person_id) AS member_name
  FROM member_cap CROSS JOIN account CROSS JOIN api_key CROSS JOIN spend_meter
  WHERE (member_cap.account_id, member_cap.person_id) > (${after.accountId}, ${after.personId})
    AND account.id = member_cap.account_id AND account.status = 'active'
    AND api_key.account_id = member_cap.account_id AND api_key.created_by = member_cap.person_id
    AND spend_meter.owner_id = api_key.id
  GROUP BY member_cap.account_id, member_cap.person_id
  ORDER BY member_cap.account_id, member_cap.person_id LIMIT ${rows}`;

const sumsOf = ({ day, week, month }: Days): SqlStatement => statement`
  CAST(${day} AS BIGINT) AS day, CAST(${week} AS BIGINT) AS week, CAST(${month} AS BIGINT) AS month,
  CAST(SUM(held) AS BIGINT) AS held, CAST(SUM(total) AS BIGINT) AS total,
  CAST(SUM(CASE WHEN day >= ${day} THEN in_day ELSE 0 END) AS BIGINT) AS in_day,
  CAST(SUM(CASE WHEN week >= ${week} THEN in_week ELSE 0 END) AS BIGINT) AS in_week,
  CAST(SUM(CASE WHEN month >= ${month} THEN in_month ELSE 0 END) AS BIGINT) AS in_month`;

/** Formats people and accounts as an SQL list, such as `VALUES (?, ?), (?, ?)`. */
const listOf = (places: readonly MemberPlace[]): SqlStatement => ({
  sql: `VALUES ${places.map(() => '(?, ?)').join(', ')}`,
  params: places.flatMap(({ accountId, personId }) => [accountId, personId]),
});

const nameOf = ({ accountId, personId }: MemberPlace): string => `${accountId}/${personId}`;
const placeOf = (row: SqlRow): MemberPlace => ({
  personId: text(row, 'person_id'),
  accountId: text(row, 'account_id'),
});
const byPlace = (rows: readonly SqlRow[]): ReadonlyMap<string, SqlRow> =>
  new Map(rows.map((row) => [nameOf(placeOf(row)), row]));

/**
 * Returns the statement that stores caps if the stored row still has this revision. If the revision
 * is null, no row may exist.
 */
function writeOf(
  { accountId, personId }: MemberPlace,
  revision: string | null,
  caps: SpendCaps,
  next: string,
): SqlStatement {
  const { day, week, month } = caps;
  if (revision === null) {
    return statement`INSERT INTO member_cap (account_id, person_id, cap_day, cap_week, cap_month,
        revision) VALUES (${accountId}, ${personId}, ${day}, ${week}, ${month}, ${next})
      ON CONFLICT DO NOTHING RETURNING person_id`;
  }
  const at = statement`account_id = ${accountId} AND person_id = ${personId}
    AND revision = ${revision}`;
  // A row without any cap is deleted, because holds are faster without a row.
  return MEMBER_WINDOWS.every((window) => caps[window] === null)
    ? statement`DELETE FROM member_cap WHERE ${at} RETURNING person_id`
    : statement`UPDATE member_cap SET cap_day = ${day}, cap_week = ${week}, cap_month = ${month},
        revision = ${next} WHERE ${at} RETURNING person_id`;
}
