/**
 * The routes that an operator has taken out of service. Each node polls their table in the store.
 * While the store does not answer, the node uses the last rows that it read. The table applies both
 * to settings in the file and to settings in the database.
 */
import type { Clock, Timer } from '../clock.ts';
import { type AuditAction, auditEntry } from '../store/audit.ts';
import { integer, numberOrNull, text, textOrNull } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';

/**
 * The interval at which each node reads the table. A route may return to service up to this much
 * later than planned.
 */
export const POLL_MS = 2_000;

/**
 * The states of a route that is out of service:
 * - drained: the route gets no new requests, and running requests finish.
 * - disabled: the route gets no new requests, and running requests are aborted. Those without a
 *   first byte try another route.
 */
export const OUT_STATES = ['drained', 'disabled'] as const;
export type OutState = (typeof OUT_STATES)[number];

/**
 * A route, named by its upstream and the model's name there. A null `model` means all routes of the
 * upstream.
 */
export type RouteScope = { readonly upstream: string; readonly model: string | null };

export type RouteState = RouteScope & {
  readonly state: OutState;
  /** When the routes return to service automatically, in Unix milliseconds; null if they do not. */
  readonly returnAtMs: number | null;
  readonly reason: string;
  readonly setAtMs: number;
  /** The id of the person who took the routes out of service, or `admin`. */
  readonly setBy: string;
  /** The name of the person in `setBy`; null for `admin` and for a deleted person. */
  readonly setByName: string | null;
};

export type NewRouteState = Pick<RouteState, 'upstream' | 'model' | 'state' | 'returnAtMs'> &
  Pick<RouteState, 'reason'>;

export type RouteStatesDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  /** Called whenever a route goes out of or into service, or its state changes. */
  readonly onChange: () => void;
  /** Called when a poll fails, unless the poll before failed too. */
  readonly onFailure: (thrown: unknown) => void;
};

const ACTIONS: Readonly<Record<OutState, AuditAction>> = {
  drained: 'route.drain',
  disabled: 'route.disable',
};

export class RouteStates {
  readonly #deps: RouteStatesDeps;
  #rows: readonly RouteState[] = [];
  /** The rows from the last read whose return time has passed. They must be deleted. */
  #due: readonly RouteState[] = [];
  #timer: Timer | null = null;
  #reading: Promise<void> = Promise.resolve();
  #isAway = false;

  constructor(deps: RouteStatesDeps) {
    this.#deps = deps;
  }

  /** Reads the table and begins to poll it. @throws GatewayError `store_unavailable`. */
  async start(): Promise<void> {
    await this.refresh();
    this.#timer ??= this.#deps.clock.every(POLL_MS, () => void this.poll());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Whether any route is out of service. */
  get hasAny(): boolean {
    return this.#rows.length > 0;
  }

  /**
   * Returns the state of a route: its own or its upstream's, whichever is stricter; null if neither
   * is out of service.
   */
  of({ upstream, model }: RouteScope): RouteState | null {
    return stateIn(this.#rows, upstream, model);
  }

  /**
   * Returns a function that checks whether a route would be out of service after a change.
   * @param state the new state of the given route or upstream; null to put it back into service.
   */
  after({ upstream, model }: RouteScope, state: OutState | null): (route: RouteScope) => boolean {
    const others = this.#rows.filter((row) => row.upstream !== upstream || row.model !== model);
    return (route) =>
      stateIn(others, route.upstream, route.model) !== null ||
      (state !== null && isIn({ upstream, model }, route.upstream, route.model));
  }

  /** Takes routes out of service. @throws GatewayError `store_unavailable`. */
  async takeOut(next: NewRouteState, actor: string): Promise<void> {
    const { upstream, model, state, returnAtMs, reason } = next;
    const detail = {
      ...(returnAtMs === null ? {} : { return_at: new Date(returnAtMs).toISOString() }),
      ...(reason === '' ? {} : { reason }),
    };
    const audit = auditEntry(this.#deps.clock, actor, ACTIONS[state], subjectOf(next), detail);
    const put = statement`INSERT INTO route_state
        (upstream, model, state, return_at_ms, reason, set_at_ms, set_by)
      VALUES (${upstream}, ${model ?? ''}, ${state}, ${returnAtMs}, ${reason}, ${audit.atMs},
        ${actor})
      ON CONFLICT (upstream, model) DO UPDATE SET state = excluded.state,
        return_at_ms = excluded.return_at_ms, reason = excluded.reason,
        set_at_ms = excluded.set_at_ms, set_by = excluded.set_by
      RETURNING upstream`;
    await this.#deps.sql.transaction([put], audit);
    await this.refresh();
  }

  /**
   * Puts routes back into service. Does nothing if they are in service already.
   * @throws GatewayError `store_unavailable`.
   */
  async enable(scope: RouteScope, actor: string): Promise<void> {
    const audit = auditEntry(this.#deps.clock, actor, 'route.enable', subjectOf(scope));
    const remove = statement`DELETE FROM route_state
      WHERE upstream = ${scope.upstream} AND model = ${scope.model ?? ''} RETURNING upstream`;
    await this.#deps.sql.transaction([remove], audit);
    await this.refresh();
  }

  /** Reads the table after any running read has ended. @throws GatewayError `store_unavailable`. */
  refresh(): Promise<void> {
    const done = this.#reading.then(() => this.#read());
    this.#reading = done.catch(() => {});
    return done;
  }

  /** Reads the table and deletes the rows of routes that are due to return. Never rejects. */
  async poll(): Promise<void> {
    try {
      await this.refresh();
      await this.#returnDue();
      this.#isAway = false;
    } catch (thrown) {
      // Routes return to service on time, even while the store does not answer.
      this.#use(this.#rows.filter((row) => !this.#isDue(row)));
      if (!this.#isAway) this.#deps.onFailure(thrown);
      this.#isAway = true;
    }
  }

  async #read(): Promise<void> {
    const rows = (await this.#deps.sql.query(ALL)).map(rowOf);
    this.#due = rows.filter((row) => this.#isDue(row));
    this.#use(rows.filter((row) => !this.#isDue(row)));
  }

  #use(rows: readonly RouteState[]): void {
    const isSame = Bun.deepEquals(rows, this.#rows);
    this.#rows = rows;
    if (!isSame) this.#deps.onChange();
  }

  #isDue({ returnAtMs }: RouteState): boolean {
    return returnAtMs !== null && returnAtMs <= this.#deps.clock.nowMs();
  }

  /** Deletes the rows whose return time has passed. Each is deleted and logged by one node. */
  async #returnDue(): Promise<void> {
    const { sql, clock } = this.#deps;
    for (const scope of this.#due) {
      const audit = auditEntry(clock, 'system', 'route.enable', subjectOf(scope));
      const remove = statement`DELETE FROM route_state WHERE return_at_ms <= ${audit.atMs}
        AND upstream = ${scope.upstream} AND model = ${scope.model ?? ''} RETURNING upstream`;
      await sql.transaction([remove], audit);
    }
  }
}

const ALL = statement`SELECT route_state.*, person.name AS set_by_name
  FROM route_state LEFT JOIN person ON person.id = route_state.set_by
  ORDER BY route_state.upstream, route_state.model`;

const subjectOf = ({ upstream, model }: RouteScope): string =>
  model === null ? upstream : `${upstream}/${model}`;

const isIn = (scope: RouteScope, upstream: string, model: string | null): boolean =>
  scope.upstream === upstream && (scope.model === null || scope.model === model);

function stateIn(
  rows: readonly RouteState[],
  upstream: string,
  model: string | null,
): RouteState | null {
  const own = rows.filter((row) => isIn(row, upstream, model));
  return own.find(({ state }) => state === 'disabled') ?? own[0] ?? null;
}

const rowOf = (row: SqlRow): RouteState => ({
  upstream: text(row, 'upstream'),
  model: text(row, 'model') || null,
  state: text(row, 'state') === 'disabled' ? 'disabled' : 'drained',
  returnAtMs: numberOrNull(row, 'return_at_ms'),
  reason: text(row, 'reason'),
  setAtMs: Number(integer(row, 'set_at_ms')),
  setBy: text(row, 'set_by'),
  setByName: textOrNull(row, 'set_by_name'),
});
