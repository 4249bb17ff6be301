// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../clock.fixture.ts';
import { configSteps, fileDocument } from '../config/config.ts';
import type { Document } from '../config/document/document.ts';
import { finish } from '../config/document/steps.ts';
import { changedFile } from '../config/file.fixture.ts';
import { EPOCH, furnish } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { DAY_MS, dateOf, dayOf } from '../money/calendar.ts';
import { documentText } from './config-revisions.ts';
import { documentOf, engines, type Node, SMALL, startNode } from './revisions.fixture.ts';
import { POLL_MS, RETRY_MS } from './stored-config.ts';

setDefaultTimeout(180_000);

let folder = '';
let path = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-stored-'));
  path = join(folder, 'modelgate.yaml');
  writeFileSync(path, 'config: database\nlog: { level: warn }\n');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  removeFiles();
});

const CHEAPER = documentOf(changedFile('input: "5.00"', 'input: "4.00"'));
const CHEAPEST = documentOf(changedFile('input: "5.00"', 'input: "3.00"'));
const NEEDS_KEY = documentOf(
  changedFile(
    'upstreams: {',
    'upstreams: { net: { protocol: openai, base_url: "https://x.example", api_key: "${KEY}" },',
  ),
);

const inputOf = ({ live }: Node): string | null | undefined => {
  const card = live.current.models.get('gen-x')?.channels.get('direct')?.card;
  return card?.unit === 'token' ? card.listed.input : undefined;
};

const change = (node: Node, base: number, document: Document, actor = 'admin') =>
  node.revisions.add({
    base,
    document,
    text: documentText(document),
    actor,
    note: 'a note',
    origin: 'change',
    changes: null,
    detail: { a: 'b' },
  });

describe.each(Object.entries(engines))('settings in the database on %s', (_engine, open) => {
  async function withStore(work: (database: Database) => Promise<void>): Promise<void> {
    const database = await open();
    await furnish(database);
    await work(database);
    await database.close();
  }
  const audited = async ({ sql }: Database) =>
    await sql.query({
      sql: "SELECT actor, subject, detail FROM audit WHERE action = 'config.change' ORDER BY id",
      params: [],
    });

  test('the first start stores the file, and later ones read the database', () =>
    withStore(async (database) => {
      const first = await startNode(database, EPOCH, { path });
      expect([first.config().revision, inputOf(first)]).toEqual([1, '5.00']);
      expect(first.config().log.level).toBe('warn');
      expect(first.warnings).toEqual([]);
      expect(await first.revisions.newest()).toMatchObject({
        revision: 1,
        actor: 'system',
        note: 'first start, from modelgate.yaml',
        document: SMALL,
      });
      const later = await startNode(database, EPOCH, { path, ofFile: () => CHEAPEST });
      expect([later.config().revision, inputOf(later)]).toEqual([1, '5.00']);
      expect(later.warnings).toHaveLength(1);
      expect(later.warnings[0]).toContain('`modelgate config diff`');
      expect(later.warnings[0]).toContain('"places":1');
      await later.live.reload();
      expect(later.warnings).toHaveLength(1);
      expect(await audited(database)).toMatchObject([{ actor: 'system', subject: 'revision 1' }]);
    }));

  test('a node starts although a calendar has ended since its revision was stored', () =>
    withStore(async (database) => {
      const first = await startNode(database, EPOCH, { path });
      const until = dateOf(dayOf(first.clock.nowMs()));
      await change(first, 1, { ...SMALL, calendars: { cn: { until, dates: [until] } } });
      const clock = manualClock();
      clock.advance(2 * DAY_MS);
      const later = await startNode(database, EPOCH, { path, clock });
      expect(later.config()).toMatchObject({ revision: 2, calendars: { cn: { until } } });
    }));

  test.each([
    ['of its form', 'log: { level: [\n'],
    ['in a start setting', 'listen: x\n'],
  ])('a node follows the database although its own file has an error %s', (_error, mistake) =>
    withStore(async (database) => {
      const own = join(folder, 'own.yaml');
      writeFileSync(own, 'config: database\n');
      const ofFile = () => fileDocument({ path: own, env: {} });
      await startNode(database, EPOCH, { path });
      const node = await startNode(database, EPOCH, { path: own, ofFile });
      writeFileSync(own, `config: database\n${mistake}`);
      await change(node, 1, CHEAPER);
      await node.stored.poll(node.live);
      await node.live.reload();
      expect([node.config().revision, inputOf(node), node.refused]).toEqual([2, '4.00', []]);
      expect(node.warnings.filter((each) => each.includes('the file has an error'))).toEqual([
        expect.stringContaining('own.yaml:'),
      ]);
      writeFileSync(own, 'config: database\nlog: { level: error }\n');
      await node.live.reload();
      expect([node.config().log.level, node.refused]).toEqual(['error', []]);
    }),
  );

  test('nodes that start at once store one revision', () =>
    withStore(async (database) => {
      const nodes = await Promise.all(
        [SMALL, CHEAPER, CHEAPEST].map((document) =>
          startNode(database, EPOCH, { path, ofFile: () => document }),
        ),
      );
      expect(new Set(nodes.map(inputOf)).size).toBe(1);
      expect(nodes.map((node) => node.config().revision)).toEqual([1, 1, 1]);
      expect(await audited(database)).toHaveLength(1);
    }));

  test('of two changes of one revision, the second stores nothing', () =>
    withStore(async (database) => {
      const node = await startNode(database, EPOCH, { path });
      const both = await Promise.all([change(node, 1, CHEAPER), change(node, 1, CHEAPEST)]);
      expect(both.toSorted()).toEqual([2, null]);
      expect(await audited(database)).toHaveLength(2);
      expect(await change(node, 1, CHEAPEST)).toBeNull();
      expect(await change(node, 5, CHEAPEST)).toBeNull();
      const list = await node.revisions.list(10, null);
      expect(list.map(({ revision }) => revision)).toEqual([2, 1]);
      expect((await node.revisions.list(10, 2)).map(({ revision }) => revision)).toEqual([1]);
      expect(await node.revisions.at(3)).toBeNull();
    }));

  test('every node follows at its next poll, and a paused one catches up in order', () =>
    withStore(async (database) => {
      const node = await startNode(database, EPOCH, { path });
      const paused = await startNode(database, EPOCH, { path });
      node.stored.start(node.live);
      await change(node, 1, CHEAPER);
      expect(inputOf(node)).toBe('5.00');
      node.clock.advance(POLL_MS);
      await node.stored.poll(node.live);
      expect([node.config().revision, inputOf(node)]).toEqual([2, '4.00']);
      const before = node.live.current;
      await node.stored.poll(node.live);
      expect(node.live.current).toBe(before);
      await change(node, 2, CHEAPEST);
      const image = paused.live.current.models.get('img-x');
      await Promise.all([paused.stored.poll(paused.live), paused.live.reload()]);
      expect([paused.config().revision, inputOf(paused)]).toEqual([3, '3.00']);
      // The node has read another document from the database, but keeps the objects of unchanged
      // parts.
      expect(paused.live.current.models.get('img-x') === image).toBe(true);
      node.stored.stop();
    }));

  test('a node that stores a revision checks it once, even while it polls', () =>
    withStore(async (database) => {
      const node = await startNode(database, EPOCH, { path });
      const checked = finish(
        configSteps({ path, env: {} }, { revision: 2, name: 'revision 2', document: CHEAPER }),
      );
      const polling = node.stored.poll(node.live);
      await change(node, 1, CHEAPER);
      await node.stored.follow(node.live, 2, checked);
      await polling;
      expect([node.config().revision, inputOf(node), node.checks()]).toEqual([2, '4.00', 1]);
      await change(node, 2, CHEAPEST);
      await node.stored.poll(node.live);
      expect([inputOf(node), node.checks()]).toEqual(['3.00', 2]);
    }));

  test('a node never goes back to an older revision', () =>
    withStore(async (database) => {
      const node = await startNode(database, EPOCH, { path });
      await change(node, 1, CHEAPER);
      await node.stored.poll(node.live);
      await database.sql.query({
        sql: 'DELETE FROM config_revision WHERE revision = 2',
        params: [],
      });
      await node.stored.poll(node.live);
      expect([node.config().revision, inputOf(node)]).toEqual([2, '4.00']);
      expect(node.refused.at(-1)).toContain('this node has read revision 2');
    }));

  test('a node follows another document under the number of a revision that the database lost', () =>
    withStore(async (database) => {
      const node = await startNode(database, EPOCH, { path });
      const other = await startNode(database, EPOCH, { path });
      await change(node, 1, CHEAPER);
      await node.stored.poll(node.live);
      const lose = { sql: 'DELETE FROM config_revision WHERE revision = 2', params: [] };
      await database.sql.query(lose);
      await node.stored.poll(node.live);
      expect((await node.revisions.nodes(EPOCH, 10_000))[0]?.failure).toContain('revision 2');
      await change(other, 1, CHEAPEST);
      await node.stored.poll(node.live);
      expect([node.config().revision, inputOf(node)]).toEqual([2, '3.00']);
      await database.sql.query(lose);
      const checked = finish(
        configSteps({ path, env: {} }, { revision: 2, name: 'revision 2', document: CHEAPER }),
      );
      await change(node, 1, CHEAPER);
      await node.stored.follow(node.live, 2, checked);
      expect([node.config().revision, inputOf(node)]).toEqual([2, '4.00']);
      expect((await node.revisions.nodes(EPOCH, 10_000))[0]?.failure).toBeNull();
    }));

  test('a node that cannot apply a revision keeps the old one, says why, and tries again', () =>
    withStore(async (database) => {
      let isBroken = true;
      const prepare = async (): Promise<void> => {
        if (isBroken) throw new Error('the ledger is away');
      };
      const node = await startNode(database, EPOCH, { path, prepare });
      const without = await startNode(database, EPOCH, { path });
      await change(node, 1, NEEDS_KEY);
      await without.stored.poll(without.live);
      expect(without.config().revision).toBe(1);
      expect(without.refused).toEqual([
        'ConfigError: revision 2: upstreams.net.api_key: the environment variable KEY is not set; set it, or write ${KEY:-default}',
      ]);
      const [row] = await node.revisions.nodes(EPOCH, 10_000);
      expect(row?.failure).toContain('the environment variable KEY is not set');
      await without.stored.poll(without.live);
      expect(without.refused).toHaveLength(1);
      await change(node, 2, CHEAPER);
      await node.stored.poll(node.live);
      expect(node.refused).toEqual(['Error: the ledger is away']);
      isBroken = false;
      await node.stored.poll(node.live);
      expect(node.config().revision).toBe(1);
      node.clock.advance(RETRY_MS);
      await node.stored.poll(node.live);
      expect([node.config().revision, inputOf(node)]).toEqual([3, '4.00']);
      expect((await node.revisions.nodes(EPOCH, 10_000))[0]?.failure).toBeNull();
    }));

  test('a start keeps to the newest revision that its version knows', () =>
    withStore(async (database) => {
      const node = await startNode(database, EPOCH, { path });
      await change(node, 1, CHEAPER);
      await change(node, 2, { ...CHEAPEST, later: { a: 1 } });
      const upstreams = { builtin: { protocol: 'builtin' }, net: { protocol: 'telepathy' } };
      await change(node, 3, { ...CHEAPEST, upstreams });
      const started = await startNode(database, EPOCH, { path });
      expect([started.config().revision, inputOf(started)]).toEqual([2, '4.00']);
      expect(started.warnings).toHaveLength(1);
      expect(started.warnings[0]).toContain('has settings that only another version knows');
      expect(started.warnings[0]).toContain('telepathy');
      const [row] = await node.revisions.nodes(EPOCH, 10_000);
      expect(row?.failure).toContain(
        'revision 4: upstreams.net.protocol: "telepathy" is not one of',
      );
      // Once it runs, the node tries each newer revision, and uses the first one that it can read.
      await started.stored.poll(started.live);
      expect(started.refused).toEqual([]);
      await change(node, 4, CHEAPEST);
      await started.stored.poll(started.live);
      expect([started.config().revision, inputOf(started)]).toEqual([5, '3.00']);
      expect((await node.revisions.nodes(EPOCH, 10_000))[0]?.failure).toBeNull();
    }));

  test('a start fails when the revision is invalid on the node, and names it', () =>
    withStore(async (database) => {
      const node = await startNode(database, EPOCH, { path });
      await change(node, 1, NEEDS_KEY);
      const started = await startNode(database, EPOCH, { path, env: { KEY: 'k' } });
      expect(started.config().upstreams['net']).toMatchObject({ base_url: 'https://x.example' });
      const failed = await startNode(database, EPOCH, { path }).catch(String);
      expect(failed).toContain('revision 2: upstreams.net.api_key: the environment variable KEY');
    }));
});
