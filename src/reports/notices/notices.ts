/** Stores the notices of the status page, and keeps a copy in memory for public requests. */
import { type IfMatch, requireMatch, retryOnConflict } from '../../accounts/optimistic-update.ts';
import { type Clock, newId } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { type AuditAction, type AuditDetail, auditEntry } from '../../store/audit.ts';
import { integer, numberOrNull, text } from '../../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../../store/sql.ts';
import {
  type Affected,
  edited,
  KEPT_MS,
  MAX_NOTICES,
  type NewNotice,
  type Notice,
  type NoticeEdit,
  type NoticeUpdate,
  noticeOf,
  noticeTag,
  type SetState,
  stateOf,
  withUpdate,
} from './notice.ts';

/** The maximum age of the public copy. Other nodes show a new notice within this time. */
export const FRESH_MS = 5_000;

export type NoticesDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  /** Called when a read of the public copy fails. Not called again until a read has succeeded. */
  readonly onFailure: (thrown: unknown) => void;
};

type Copy = { readonly notices: readonly Notice[]; readonly readAtMs: number };

export class Notices {
  readonly #deps: NoticesDeps;
  #copy: Copy = { notices: [], readAtMs: Number.NEGATIVE_INFINITY };
  #reading: Promise<Copy> | null = null;
  #isAway = false;

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the notices for the public, latest first, at most 5 s old. While the store is
   * unavailable, returns the last copy. Never rejects.
   */
  async current(): Promise<readonly Notice[]> {
    if (this.#deps.clock.monotonicMs() - this.#copy.readAtMs < FRESH_MS) return this.#copy.notices;
    this.#reading ??= this.#read();
    const reading = this.#reading;
    const copy = await reading;
    // If a notice changed meanwhile, `#reading` is a newer read, and this copy is outdated.
    if (this.#reading === reading) {
      this.#copy = copy;
      this.#reading = null;
    }
    return copy.notices;
  }

  /**
   * Returns all notices, latest first, except those that ended more than `KEPT_MS` ago.
   * @throws GatewayError `store_unavailable`.
   */
  async list(): Promise<readonly Notice[]> {
    const { sql, clock } = this.#deps;
    const since = clock.nowMs() - KEPT_MS;
    const rows = await sql.query(statement`SELECT * FROM notice
      WHERE ends_at_ms IS NULL OR ends_at_ms >= ${since} ORDER BY starts_at_ms DESC, id DESC`);
    return rows.map(rowOf);
  }

  /** @throws GatewayError `not_found`, `store_unavailable`. */
  async get(id: string): Promise<Notice> {
    const [row] = await this.#deps.sql.query(statement`SELECT * FROM notice WHERE id = ${id}`);
    if (row === undefined) throw unknown(id);
    return rowOf(row);
  }

  /** @throws GatewayError `invalid_value`, `conflict` (too many), `store_unavailable`. */
  async create(wanted: NewNotice, actor: string): Promise<Notice> {
    const { sql, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const notice = noticeOf(newId(clock, 'ntc'), wanted, nowMs);
    const prune = statement`DELETE FROM notice WHERE ends_at_ms < ${nowMs - KEPT_MS}`;
    const { id, kind, title, startsAtMs, endsAtMs, createdAtMs, changedAtMs, revision } = notice;
    const add = statement`INSERT INTO notice (id, kind, title, affects, starts_at_ms, ends_at_ms,
        updates, created_at_ms, changed_at_ms, revision)
      SELECT ${id}, ${kind}, ${title}, ${JSON.stringify(notice.affects)}, ${startsAtMs},
        ${endsAtMs}, ${JSON.stringify(notice.updates)}, ${createdAtMs}, ${changedAtMs}, ${revision}
      WHERE (SELECT count(*) FROM notice) < ${MAX_NOTICES} RETURNING id`;
    const detail = { kind, title, state: stateOf(notice, nowMs) };
    const audit = auditEntry(clock, actor, 'notice.create', id, detail);
    const [, added = []] = await sql.transaction([prune, add], audit);
    if (added.length === 0) throw tooMany();
    this.#forget();
    return notice;
  }

  /** @throws GatewayError `not_found`, `invalid_value`, `revision_changed`, `store_unavailable`. */
  async edit(id: string, edit: NoticeEdit, actor: string, ifMatch: IfMatch): Promise<Notice> {
    const nowMs = this.#deps.clock.nowMs();
    return await this.#change(id, actor, 'notice.edit', (was) => {
      requireMatch(ifMatch, noticeTag(was));
      return edited(was, edit, nowMs);
    });
  }

  /** @throws GatewayError `not_found`, `invalid_value`, `conflict`, `store_unavailable`. */
  async update(
    id: string,
    update: { readonly text: string; readonly state: SetState | null },
    actor: string,
  ): Promise<Notice> {
    const nowMs = this.#deps.clock.nowMs();
    return await this.#change(id, actor, 'notice.update', (was) => withUpdate(was, update, nowMs));
  }

  /** @throws GatewayError `not_found`, `store_unavailable`. */
  async delete(id: string, actor: string): Promise<void> {
    const { sql, clock } = this.#deps;
    const { title } = await this.get(id);
    const audit = auditEntry(clock, actor, 'notice.delete', id, { title });
    const remove = statement`DELETE FROM notice WHERE id = ${id} RETURNING id`;
    const [removed = []] = await sql.transaction([remove], audit);
    if (removed.length === 0) throw unknown(id);
    this.#forget();
  }

  /**
   * Applies `next` to the stored notice, and retries on a conflict. Stores nothing if nothing
   * changes.
   */
  async #change(
    id: string,
    actor: string,
    action: AuditAction,
    next: (was: Notice) => Notice,
  ): Promise<Notice> {
    const { sql, clock } = this.#deps;
    return await retryOnConflict(async () => {
      const was = await this.get(id);
      const changed = next(was);
      if (noticeTag(changed) === noticeTag(was)) return was;
      const nowMs = clock.nowMs();
      const notice = { ...changed, changedAtMs: nowMs, revision: was.revision + 1 };
      const put = statement`UPDATE notice SET title = ${notice.title},
          affects = ${JSON.stringify(notice.affects)}, starts_at_ms = ${notice.startsAtMs},
          ends_at_ms = ${notice.endsAtMs}, updates = ${JSON.stringify(notice.updates)},
          changed_at_ms = ${nowMs}, revision = ${notice.revision}
        WHERE id = ${id} AND revision = ${was.revision} RETURNING id`;
      const audit = auditEntry(clock, actor, action, id, detailOf(was, notice, nowMs));
      const [written = []] = await sql.transaction([put], audit);
      this.#forget();
      return written.length === 0 ? null : notice;
    });
  }

  #forget(): void {
    this.#copy = { ...this.#copy, readAtMs: Number.NEGATIVE_INFINITY };
    this.#reading = null;
  }

  async #read(): Promise<Copy> {
    const readAtMs = this.#deps.clock.monotonicMs();
    try {
      const notices = await this.list();
      this.#isAway = false;
      return { notices, readAtMs };
    } catch (thrown) {
      if (!this.#isAway) this.#deps.onFailure(thrown);
      this.#isAway = true;
      return { notices: this.#copy.notices, readAtMs };
    }
  }
}

function detailOf(was: Notice, notice: Notice, nowMs: number): AuditDetail {
  const changed = Object.entries(EDITED).filter(
    ([, read]) => !Bun.deepEquals(read(was), read(notice)),
  );
  return {
    title: notice.title,
    state: stateOf(notice, nowMs),
    ...(changed.length === 0 ? {} : { changed: changed.map(([name]) => name).join(', ') }),
  };
}

const EDITED = {
  title: ({ title }: Notice) => title,
  affects: ({ affects }: Notice) => affects,
  starts_at: ({ startsAtMs }: Notice) => startsAtMs,
  ends_at: ({ endsAtMs }: Notice) => endsAtMs,
} as const;

const rowOf = (row: SqlRow): Notice => ({
  id: text(row, 'id'),
  kind: text(row, 'kind') === 'maintenance' ? 'maintenance' : 'incident',
  title: text(row, 'title'),
  affects: JSON.parse(text(row, 'affects')) satisfies readonly Affected[],
  startsAtMs: Number(integer(row, 'starts_at_ms')),
  endsAtMs: numberOrNull(row, 'ends_at_ms'),
  updates: JSON.parse(text(row, 'updates')) satisfies readonly NoticeUpdate[],
  createdAtMs: Number(integer(row, 'created_at_ms')),
  changedAtMs: Number(integer(row, 'changed_at_ms')),
  revision: Number(integer(row, 'revision')),
});

const unknown = (id: string): GatewayError =>
  new GatewayError('not_found', `There is no notice ${JSON.stringify(id.slice(0, 64))}.`, {
    param: 'id',
  });

const tooMany = (): GatewayError =>
  new GatewayError(
    'conflict',
    `There are ${MAX_NOTICES} notices, which is the limit. Delete one, or update an open one.`,
  );
