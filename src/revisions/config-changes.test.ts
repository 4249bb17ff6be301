import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { configSteps } from '../config/config.ts';
import type { Document } from '../config/document/document.ts';
import { EPOCH, furnish } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { DAY_MS, dateOf, dayOf } from '../money/calendar.ts';
import { ConfigChanges } from './config-changes.ts';
import { type Node, SMALL, startNode } from './revisions.fixture.ts';

let folder = '';
let path = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-changes-'));
  path = join(folder, 'modelgate.yaml');
  writeFileSync(path, 'config: database\n');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  removeFiles();
});

function changesOn({ sql }: Pick<Database, 'sql'>, { revisions, stored, live, clock }: Node) {
  const changes = new ConfigChanges({
    ...{ revisions, live, sql },
    clock: { ...systemClock, nowMs: clock.nowMs },
    steps: (document) => configSteps({ path, env: {}, nowMs: clock.nowMs() }, document),
    publish: async () => {},
    unreachable: async () => [],
    follow: (revision, config) => stored.follow(live, revision, config),
  });
  return (base: number, section: string, value: unknown) =>
    changes.change({
      ...{ base, actor: 'admin', note: '', confirmed: [] },
      edit: (document: Document) => ({ ...document, [section]: value }),
    });
}

test('a calendar that has ended prevents no change of other settings', async () => {
  const database = await openFile(newFile());
  await furnish(database);
  const clock = manualClock();
  const dayAt = (days: number) => dateOf(dayOf(clock.nowMs()) + days);
  const [until, later] = [dayAt(0), dayAt(9)];
  const ended = { cn: { until, dates: [until] } };
  const node = await startNode(database, EPOCH, { path, clock, ofFile: () => SMALL });
  const change = changesOn(database, node);
  await change(1, 'calendars', ended);
  clock.advance(2 * DAY_MS);
  expect(await change(2, 'catalogue', { public: false })).toMatchObject({ isInForce: true });
  const other = await startNode(database, EPOCH, { path, clock });
  expect(other.config()).toMatchObject({ revision: 3, calendars: ended });

  const dated = { cn: { until, dates: [] } };
  const refused = await change(3, 'calendars', dated).catch((thrown: unknown) => String(thrown));
  expect(refused).toContain(
    `calendars.cn.until: ended on ${until}; add the dates of the next period and raise \`until\``,
  );
  const next = { cn: { until: later, dates: [until, later] } };
  expect(await change(3, 'calendars', next)).toMatchObject({ revision: 4, isInForce: true });
  await database.close();
});
