/** The conformance suite of routes that are out of service, run on every engine. */
import { expect } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { type NewRouteState, POLL_MS, RouteStates } from './route-states.ts';

const HOUR_MS = 3_600_000;
const ROUTE = { upstream: 'a', model: 'x' };
const drained = (change: Partial<NewRouteState> = {}): NewRouteState => ({
  ...ROUTE,
  ...{ state: 'drained', returnAtMs: null, reason: '' },
  ...change,
});

/**
 * Opens a node's `RouteStates`, on a clock that several nodes may share. Queries fail while
 * `away.reason` is set.
 */
async function nodeOn(sql: SqlExecutor, clock = manualClock()) {
  const seen = { changes: 0, failures: 0 };
  const away: { reason: Error | null } = { reason: null };
  const states = new RouteStates({
    sql: {
      ...sql,
      query: async (statement) => {
        if (away.reason !== null) throw away.reason;
        return await sql.query(statement);
      },
      transaction: (...args) => sql.transaction(...args),
    },
    clock,
    onChange: () => {
      seen.changes += 1;
    },
    onFailure: () => {
      seen.failures += 1;
    },
  });
  await states.start();
  return { states, clock, seen, away };
}

const auditOf = async (sql: SqlExecutor) =>
  (
    await sql.query({
      sql: "SELECT * FROM audit WHERE action LIKE 'route.%' ORDER BY id",
      params: [],
    })
  ).map(({ action, actor, subject, detail }) => [action, actor, subject, String(detail)]);

export function routeStatesConformance(open: Open): void {
  rule(open, 'a drained route is known to other nodes, and logged with the person', async (db) => {
    const one = await nodeOn(db.sql);
    await one.states.takeOut(drained({ reason: 'upgrade' }), 'usr_ada');
    const other = await nodeOn(db.sql);
    expect(other.states.of(ROUTE)).toMatchObject({
      ...drained({ reason: 'upgrade' }),
      setBy: 'usr_ada',
      setAtMs: one.clock.nowMs(),
    });
    expect(other.states.of({ ...ROUTE, model: 'y' })).toBeNull();
    await other.states.enable(ROUTE, 'admin');
    await one.states.poll();
    expect([one.states.of(ROUTE), one.seen.changes]).toEqual([null, 2]);
    // Enabling a route that is in service changes nothing, so nothing is logged.
    await one.states.enable(ROUTE, 'admin');
    expect(await auditOf(db.sql)).toEqual([
      ['route.drain', 'usr_ada', 'a/x', '{"reason":"upgrade"}'],
      ['route.enable', 'admin', 'a/x', '{}'],
    ]);
  });

  rule(open, 'a route returns by itself, and of two nodes one logs it', async ({ sql }) => {
    const clock = manualClock();
    const nodes = await Promise.all([nodeOn(sql, clock), nodeOn(sql, clock)]);
    const [{ states }] = nodes;
    const returnAtMs = clock.nowMs() + HOUR_MS;
    await states.takeOut(drained({ returnAtMs }), 'usr_ada');
    clock.advance(HOUR_MS - 1);
    await Promise.all(nodes.map((node) => node.states.poll()));
    expect(nodes.map((node) => node.states.of(ROUTE)?.state)).toEqual(['drained', 'drained']);
    clock.advance(POLL_MS);
    await Promise.all(nodes.map((node) => node.states.poll()));
    expect(nodes.map((node) => node.states.of(ROUTE))).toEqual([null, null]);
    const detail = JSON.stringify({ return_at: new Date(returnAtMs).toISOString() });
    expect(await auditOf(sql)).toEqual([
      ['route.drain', 'usr_ada', 'a/x', detail],
      ['route.enable', 'system', 'a/x', '{}'],
    ]);
  });

  rule(open, 'a longer drain replaces one that is about to end', async ({ sql }) => {
    const { states, clock } = await nodeOn(sql);
    await states.takeOut(drained({ returnAtMs: clock.nowMs() + 1000 }), 'admin');
    await states.takeOut(drained({ state: 'disabled', returnAtMs: null }), 'admin');
    clock.advance(HOUR_MS);
    await states.poll();
    expect(states.of(ROUTE)).toMatchObject({ state: 'disabled', returnAtMs: null });
  });

  rule(open, 'a state of the upstream holds for all its routes; disabled wins', async ({ sql }) => {
    const { states } = await nodeOn(sql);
    const whole = { upstream: 'a', model: null };
    await states.takeOut(drained({ ...whole, state: 'disabled' }), 'admin');
    await states.takeOut(drained(), 'admin');
    const of = (upstream: string, model: string) => states.of({ upstream, model })?.state ?? null;
    expect([of('a', 'x'), of('a', 'new'), of('b', 'x')]).toEqual(['disabled', 'disabled', null]);
    expect(states.after(whole, null)({ upstream: 'a', model: 'x' })).toBe(true);
    expect(states.after(whole, null)({ upstream: 'a', model: 'new' })).toBe(false);
    const isOut = states.after({ upstream: 'b', model: 'x' }, 'drained');
    expect(isOut({ upstream: 'b', model: 'x' })).toBe(true);
    expect(isOut({ upstream: 'b', model: 'y' })).toBe(false);
    await states.enable(whole, 'admin');
    expect([of('a', 'x'), of('a', 'new')]).toEqual(['drained', null]);
    await states.takeOut(drained(whole), 'admin');
    await states.takeOut(drained({ state: 'disabled' }), 'admin');
    expect([of('a', 'x'), of('a', 'new')]).toEqual(['disabled', 'drained']);
  });

  rule(open, 'while the store is away, routes stay out, and return on time', async ({ sql }) => {
    const { states, clock, seen, away } = await nodeOn(sql);
    await states.takeOut(drained({ returnAtMs: clock.nowMs() + HOUR_MS }), 'admin');
    away.reason = new Error('away');
    await states.poll();
    await states.poll();
    expect([states.of(ROUTE)?.state, seen.failures]).toEqual(['drained', 1]);
    clock.advance(HOUR_MS);
    await states.poll();
    expect(states.of(ROUTE)).toBeNull();
    away.reason = null;
    await states.poll();
    expect(states.of(ROUTE)).toBeNull();
  });
}
