/**
 * Sends alerts to callers about spending caps and about keys that expire soon. An alert is sent
 * when a key, a member or an account has used half, 80 % or all of a cap. Every node checks once a
 * minute. The id of an alert is derived from its content. So all nodes together create one alert
 * per threshold and period, even after restarts.
 */
import type { Clock, Timer } from '../../clock.ts';
import type { CapWindow } from '../../ledger/ledger.ts';
import { type Budget, budgetWords, expiringWords } from '../../mail/letters.ts';
import type { Said } from '../../mail/mailer.ts';
import { formatAmount, nano } from '../../money/amount.ts';
import { DAY_MS, type Days, daysAt } from '../../money/calendar.ts';
import { MAX_ALERTS_A_DAY, type OwnerMail } from '../../people/mail/owner-mail.ts';
import { cappedAfter } from '../../people/memberships/member-caps.ts';
import { integer, text, textOrNull } from '../../store/row.ts';
import {
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../../store/sql.ts';
import { type Alert, type AlertFields, alertIdOf, alertOf } from './alert-outbox.ts';

const LOOK_MS = 60_000;
/**
 * The percentages of a cap that cause an alert. If several percentages are reached at once, only
 * the highest one causes an alert.
 */
export const PERCENTS = [100, 80, 50] as const;
/**
 * The numbers of days before a key's expiry at which an alert is sent. If a key reaches both at
 * once, only the smaller number causes an alert.
 */
const DAYS_LEFT = [1, 7] as const;
/** Maximum members with limits that one statement reads. */
const ROWS = 500;
/** Maximum keys that one statement looks at: about 2 ms of the store's time. */
const STEP_ROWS = 1_000;
/** Maximum alert ids that are cached. Other ids are looked up in the store. */
const MAX_REMEMBERED = 10_000;

/** An alert that is due now. An earlier check may already have stored it. */
type Finding = {
  readonly accountId: string;
  readonly id: string;
  readonly fields: AlertFields;
  readonly said: (account: string) => Said;
  /** The member whom the alert concerns. The member also gets an email. */
  readonly memberId?: string;
};

/** The owner of a spending cap: a key, an account or a member. */
type CapOwner = {
  readonly accountId: string;
  /** The part of an alert's id that identifies the owner. */
  readonly id: string;
  readonly whose: Budget['whose'];
  /** The fields of the alert that name the owner. */
  readonly fields: Readonly<Record<string, string | null>>;
  readonly memberId?: string;
};

export type CallerAlertsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly ownerMail: Pick<OwnerMail, 'send'>;
  /** Stores the alert and queues it for the operator's webhook. */
  readonly raise: (alert: Alert) => Promise<boolean>;
  readonly onFailure: (thrown: unknown) => void;
  /** Maximum keys that one statement looks at. */
  readonly stepRows?: number;
};

export class CallerAlerts {
  readonly #deps: CallerAlertsDeps;
  readonly #timer: Timer;
  readonly #known = new Set<string>();
  #looking: Promise<void> | null = null;

  constructor(deps: CallerAlertsDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.every(LOOK_MS, () => void this.look());
  }

  /** Creates the alerts that are due. Never rejects. Concurrent calls share one check. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#deps.onFailure)
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#timer.cancel();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { sql, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const days = daysAt(nowMs);
    await this.#steps('spend_meter', 'owner_id', async (after, end) => {
      for (const row of await sql.query(budgetsIn(after, end, days)))
        for (const found of this.#budgetsIn(row, ownerIn(row), days)) await this.#make(found);
    });
    for (let after = { accountId: '', personId: '' }; ; ) {
      const rows = await sql.query(cappedAfter(after, days, ROWS));
      for (const row of rows)
        for (const found of this.#budgetsIn(row, memberIn(row), days)) await this.#make(found);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS) break;
      after = { accountId: text(last, 'account_id'), personId: text(last, 'person_id') };
    }
    await this.#steps('api_key', 'id', async (after, end) => {
      for (const row of await sql.query(expiringIn(after, end, nowMs))) {
        const found = this.#expiryIn(row, nowMs);
        if (found !== null) await this.#make(found);
      }
    });
  }

  /** Calls `step` for each range of ids of a table, from `after` (exclusive) to `end`. */
  async #steps(table: string, id: string, step: (after: string, end: string) => Promise<void>) {
    const { sql, stepRows = STEP_ROWS } = this.#deps;
    for (let after: string | null = ''; after !== null; ) {
      const next: SqlStatement = statement`SELECT MAX(id) AS id FROM (SELECT ${raw(id)} AS id
        FROM ${raw(table)} WHERE ${raw(id)} > ${after} ORDER BY ${raw(id)} LIMIT ${stepRows}) AS ids`;
      const [row] = await sql.query(next);
      const end = row === undefined ? null : textOrNull(row, 'id');
      if (end !== null) await step(after, end);
      after = end;
    }
  }

  /**
   * Sends an alert by email and stores it, unless it is already stored, or the account has caused
   * too many in 24 hours: each change of a limit that is reached causes one.
   */
  async #make({ accountId, id, fields, said, memberId }: Finding): Promise<void> {
    if (this.#known.has(id)) return;
    const { sql, clock, ownerMail, raise } = this.#deps;
    const nowMs = clock.nowMs();
    const [row = {}] = await sql.query(statement`SELECT
      (SELECT COUNT(*) FROM alert WHERE id = ${id}) AS stored,
      (SELECT COUNT(*) FROM alert WHERE for_account = ${accountId}
        AND created_at_ms > ${nowMs - DAY_MS}) AS recent`);
    if (integer(row, 'stored') === 0n && integer(row, 'recent') < MAX_ALERTS_A_DAY) {
      // The emails are queued before the alert is stored. If the process stops in between, the next
      // check repeats both.
      await ownerMail.send(accountId, 'alert', id, said, memberId);
      await raise({ ...alertOf(id, fields, nowMs), forAccount: accountId });
    }
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.add(id);
  }

  #budgetsIn(row: SqlRow, owner: CapOwner, days: Days): readonly Finding[] {
    const { accountId, whose, memberId } = owner;
    return windowsOf(row, days).flatMap(({ window, spent, cap, start }): readonly Finding[] => {
      const percent = PERCENTS.find((each) => spent * 100n >= cap * BigInt(each));
      if (percent === undefined) return [];
      const amounts = { spent: formatAmount(nano(spent)), cap: formatAmount(nano(cap)) };
      const fields = {
        type: 'budget.reached',
        account_id: accountId,
        ...owner.fields,
        window,
        percent: String(percent),
        ...amounts,
      };
      const id = alertIdOf(fields.type, owner.id, window, start, cap, percent);
      const url = `${this.#deps.publicUrl}/console/${whose.kind === 'key' ? 'keys' : ''}`;
      const said = budgetWords({ whose, window, percent, ...amounts }, url);
      return [{ accountId, id, fields, said, ...(memberId === undefined ? {} : { memberId }) }];
    });
  }

  #expiryIn(row: SqlRow, nowMs: number): Finding | null {
    const [keyId, accountId, key] = [text(row, 'id'), text(row, 'account_id'), text(row, 'name')];
    const endsAtMs = Number(integer(row, 'expires_at_ms'));
    const lifeMs = endsAtMs - Number(integer(row, 'created_at_ms'));
    // If the whole lifetime of the key is at most `each` days, no alert is sent `each` days before
    // its expiry.
    const days = DAYS_LEFT.find(
      (each) => endsAtMs - nowMs <= each * DAY_MS && lifeMs > each * DAY_MS,
    );
    if (days === undefined) return null;
    const fields = {
      type: 'key.expiring',
      account_id: accountId,
      key_id: keyId,
      key_name: key,
      expires_at: new Date(endsAtMs).toISOString(),
    };
    const id = alertIdOf(fields.type, keyId, endsAtMs, days);
    const said = expiringWords({ key, endsAtMs }, `${this.#deps.publicUrl}/console/keys`);
    return { accountId, id, fields, said };
  }
}

const NO_KEY = { key_id: null, key_name: null };
const NO_MEMBER = { member_id: null, member_name: null };

/** Returns the owner of the caps in a row of `budgetsIn`: a key or an account. */
function ownerIn(row: SqlRow): CapOwner {
  const [id, accountId] = [text(row, 'owner_id'), text(row, 'account_id')];
  const name = textOrNull(row, 'key_name');
  if (name === null) {
    return { accountId, id, whose: { kind: 'account' }, fields: { ...NO_KEY, ...NO_MEMBER } };
  }
  const fields = { key_id: id, key_name: name, ...NO_MEMBER };
  return { accountId, id, whose: { kind: 'key', name }, fields };
}

/** Returns the owner of the caps in a row of `cappedAfter`, a member. */
function memberIn(row: SqlRow): CapOwner {
  const [memberId, accountId] = [text(row, 'person_id'), text(row, 'account_id')];
  const name = textOrNull(row, 'member_name');
  return {
    ...{ accountId, memberId, id: `${accountId}/${memberId}` },
    whose: { kind: 'member', name },
    fields: { ...NO_KEY, member_id: memberId, member_name: name },
  };
}

type Window = {
  readonly window: CapWindow;
  readonly spent: bigint;
  readonly cap: bigint;
  /** The first day of the period, in days since 1970-01-01; 0 for the cap on the total spending. */
  readonly start: bigint;
};

/**
 * Returns the periods (day, week, month, total) that have a cap. Omits a period if its counter was
 * last changed in an earlier day, week or month, because then nothing has been spent in the current
 * one.
 */
function windowsOf(row: SqlRow, days: Days): readonly Window[] {
  const of = (window: CapWindow, spent: string, start: bigint, isNow: boolean) => {
    const cap = row[`cap_${window}`];
    if (typeof cap !== 'bigint' || cap === 0n || !isNow) return [];
    return [{ window, spent: integer(row, spent), cap, start }];
  };
  return [
    ...of('day', 'in_day', days.day, integer(row, 'day') >= days.day),
    ...of('week', 'in_week', days.week, integer(row, 'week') >= days.week),
    ...of('month', 'in_month', days.month, integer(row, 'month') >= days.month),
    ...of('total', 'total', 0n, true),
  ];
}

/**
 * Finds active keys and accounts that have used at least half of a cap. Ignores keys that have a
 * `purpose`.
 */
const budgetsIn = (after: string, end: string, { day, week, month }: Days) => statement`
  SELECT spend_meter.*, api_key.name AS key_name,
    COALESCE(api_key.account_id, account.id) AS account_id
  FROM spend_meter LEFT JOIN api_key ON api_key.id = spend_meter.owner_id
    LEFT JOIN account ON account.id = spend_meter.owner_id
  WHERE spend_meter.owner_id > ${after} AND spend_meter.owner_id <= ${end} AND (
    (cap_day > 0 AND day >= ${day} AND in_day >= (cap_day + 1) / 2)
    OR (cap_week > 0 AND week >= ${week} AND in_week >= (cap_week + 1) / 2)
    OR (cap_month > 0 AND month >= ${month} AND in_month >= (cap_month + 1) / 2)
    OR (cap_total > 0 AND total >= (cap_total + 1) / 2))
    AND COALESCE(api_key.status, account.status) = 'active' AND api_key.purpose IS NULL
  ORDER BY spend_meter.owner_id`;

const expiringIn = (after: string, end: string, nowMs: number) => statement`
  SELECT id, account_id, name, created_at_ms, expires_at_ms FROM api_key
  WHERE id > ${after} AND id <= ${end} AND status = 'active' AND expires_at_ms > ${nowMs}
    AND expires_at_ms <= ${nowMs + Math.max(...DAYS_LEFT) * DAY_MS}
  ORDER BY id`;
