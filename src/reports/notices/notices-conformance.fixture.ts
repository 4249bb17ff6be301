/** The conformance suite of the notices of the status page, run on every engine. */
import { expect } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { type Open, rule } from '../../ledger/conformance/conformance-rule.fixture.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { KEPT_MS, MAX_NOTICES, MAX_UPDATES, type NewNotice, noticeTag, stateOf } from './notice.ts';
import { FRESH_MS, Notices } from './notices.ts';

const HOUR_MS = 3_600_000;
const incident = (change: Partial<NewNotice> = {}): NewNotice => ({
  ...{ kind: 'incident', title: 'Slow answers', text: 'We look into it.', affects: [] },
  ...{ state: null, startsAtMs: null, endsAtMs: null },
  ...change,
});

/** Opens the notices of a node, with a clock that several nodes may share. */
function nodeOn(sql: SqlExecutor, clock = manualClock()) {
  const away: { reason: Error | null } = { reason: null };
  const failures: unknown[] = [];
  const notices = new Notices({
    sql: {
      query: async (statement) => {
        if (away.reason !== null) throw away.reason;
        return await sql.query(statement);
      },
      transaction: (...args) => sql.transaction(...args),
    },
    clock,
    onFailure: (thrown) => failures.push(thrown),
  });
  const shown = async () => (await notices.current()).map((each) => stateOf(each, clock.nowMs()));
  return { notices, clock, away, failures, shown };
}

const auditOf = async (sql: SqlExecutor) =>
  (
    await sql.query({
      sql: "SELECT * FROM audit WHERE action LIKE 'notice.%' ORDER BY id",
      params: [],
    })
  ).map(({ action, actor, detail }) => [action, actor, JSON.parse(String(detail))]);

const codeOf = async (act: Promise<unknown>): Promise<string> =>
  await act.then(
    () => 'done',
    (thrown) => String(Object(thrown).code),
  );

export function noticesConformance(open: Open): void {
  rule(
    open,
    'an incident is shown here at once, and on other nodes within 5 s',
    async ({ sql }) => {
      const clock = manualClock();
      const [one, two] = [nodeOn(sql, clock), nodeOn(sql, clock)];
      expect([await one.shown(), await two.shown()]).toEqual([[], []]);
      const affects = [{ model: 'ü', channel: 'direct' }];
      const { id } = await one.notices.create(incident({ affects }), 'usr_ada');
      expect([await one.shown(), await two.shown()]).toEqual([['investigating'], []]);
      clock.advance(FRESH_MS);
      expect(await two.shown()).toEqual(['investigating']);
      await two.notices.update(id, { text: 'Found.', state: 'identified' }, 'admin');
      clock.advance(HOUR_MS);
      const ended = await one.notices.update(id, { text: 'Fixed.', state: 'resolved' }, 'admin');
      expect(ended).toMatchObject({
        affects,
        endsAtMs: clock.nowMs(),
        startsAtMs: ended.createdAtMs,
      });
      expect(ended.updates.map(({ state, text }) => `${state} ${text}`)).toEqual([
        'investigating We look into it.',
        'identified Found.',
        'resolved Fixed.',
      ]);
      expect(await one.notices.list()).toEqual([ended]);
      const title = 'Slow answers';
      expect(await auditOf(sql)).toEqual([
        ['notice.create', 'usr_ada', { kind: 'incident', title, state: 'investigating' }],
        ['notice.update', 'admin', { title, state: 'identified' }],
        ['notice.update', 'admin', { title, state: 'resolved', changed: 'ends_at' }],
      ]);
    },
  );

  rule(open, 'an edit is refused if the notice changed since it was read', async ({ sql }) => {
    const { notices } = nodeOn(sql);
    const was = await notices.create(incident(), 'admin');
    const ifMatch = (tag: string): boolean => tag === noticeTag(was);
    const edited = await notices.edit(was.id, { title: 'Slow', text: 'Yes.' }, 'admin', ifMatch);
    expect(edited.updates).toEqual([{ ...was.updates[0], text: 'Yes.' }] as never);
    expect(await codeOf(notices.edit(was.id, { title: 'x' }, 'admin', ifMatch))).toBe(
      'revision_changed',
    );
    // This edit sets the title that is already stored, so it is not logged.
    await notices.edit(was.id, { title: 'Slow' }, 'admin', null);
    expect((await auditOf(sql)).slice(1)).toEqual([
      ['notice.edit', 'admin', { title: 'Slow', state: 'investigating', changed: 'title' }],
    ]);
  });

  rule(open, 'of two updates at the same time, none is lost', async ({ sql }) => {
    const { notices } = nodeOn(sql);
    const { id } = await notices.create(incident(), 'admin');
    const texts = ['a', 'b', 'c'];
    await Promise.all(
      texts.map((text) => nodeOn(sql).notices.update(id, { text, state: null }, 'admin')),
    );
    const { updates } = await notices.get(id);
    expect(updates.map(({ text }) => text).toSorted()).toEqual(['We look into it.', ...texts]);
  });

  rule(
    open,
    'maintenance follows its window, and is canceled or ended by hand',
    async ({ sql }) => {
      const { notices, clock, shown } = nodeOn(sql);
      const [startsAtMs, endsAtMs] = [clock.nowMs() + HOUR_MS, clock.nowMs() + 3 * HOUR_MS];
      const window = incident({ kind: 'maintenance', startsAtMs, endsAtMs });
      const ids: string[] = [];
      for (let i = 0; i < 3; i++) ids.unshift((await notices.create(window, 'admin')).id);
      const [first = '', second = ''] = (await notices.list()).map(({ id }) => id);
      const end = { text: 'Ended.', state: 'resolved' } as const;
      await notices.update(second, end, 'admin');
      expect(await shown()).toEqual(['scheduled', 'canceled', 'scheduled']);
      clock.advance(2 * HOUR_MS);
      await notices.update(first, end, 'admin');
      expect(await shown()).toEqual(['completed', 'canceled', 'in_progress']);
      clock.advance(HOUR_MS);
      expect(await shown()).toEqual(['completed', 'canceled', 'completed']);
      expect((await notices.get(first)).endsAtMs).toBe(endsAtMs - HOUR_MS);
      expect((await notices.get(second)).endsAtMs).toBe(endsAtMs);
    },
  );

  rule(open, 'notices and updates are bounded, and kept for 90 days', async ({ sql }) => {
    const { notices, clock } = nodeOn(sql);
    const { id } = await notices.create(incident({ state: 'resolved' }), 'admin');
    for (let i = 1; i < MAX_UPDATES; i++) {
      await notices.update(id, { text: `${i}`, state: null }, 'admin');
    }
    const more = () => notices.update(id, { text: 'more', state: null }, 'admin');
    expect(await codeOf(more())).toBe('conflict');
    for (let i = 1; i < MAX_NOTICES; i++) await notices.create(incident(), 'admin');
    expect(await codeOf(notices.create(incident(), 'admin'))).toBe('conflict');
    clock.advance(KEPT_MS + 1);
    expect(await notices.list()).toHaveLength(MAX_NOTICES - 1);
    await notices.create(incident(), 'admin');
    expect(await codeOf(notices.get(id))).toBe('not_found');
  });

  rule(open, 'a deleted notice is gone, and deleting it again is not found', async ({ sql }) => {
    const { notices, shown } = nodeOn(sql);
    const { id } = await notices.create(incident(), 'admin');
    expect(await shown()).toHaveLength(1);
    await notices.delete(id, 'usr_ada');
    expect(await shown()).toEqual([]);
    expect(await codeOf(notices.delete(id, 'usr_ada'))).toBe('not_found');
    expect((await auditOf(sql)).at(-1)).toEqual([
      'notice.delete',
      'usr_ada',
      { title: 'Slow answers' },
    ]);
  });

  rule(open, 'while the store is away, the public sees what it saw', async ({ sql }) => {
    const { notices, clock, away, failures, shown } = nodeOn(sql);
    await notices.create(incident(), 'admin');
    expect(await shown()).toHaveLength(1);
    away.reason = new Error('away');
    for (let i = 0; i < 2; i++) {
      clock.advance(FRESH_MS);
      expect(await shown()).toHaveLength(1);
    }
    expect(failures).toEqual([away.reason]);
  });
}
