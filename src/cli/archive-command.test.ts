/** Tests `ledger archive` and its routes with the real HTTP edge and a real ledger. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ADMIN_TOKEN } from '../http/caller/reports/report-room.fixture.ts';
import { readArchive } from '../ledger/archive/archive-file.ts';
import { type CommandRoom, openCommandRoom } from './command-room.fixture.ts';

let commands: CommandRoom;
let room: CommandRoom['room'];

beforeAll(async () => {
  commands = await openCommandRoom();
  room = commands.room;
});
afterAll(() => commands.close());

const run = (...argv: string[]) => commands.run(...argv);
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).out);
const reason = ['--reason', 'as agreed'] as const;

const ids = async (): Promise<readonly string[]> => {
  const sql = 'SELECT request_id FROM receipt';
  const rows = await room.database.sql.query({ sql, params: [] });
  return rows.map((row) => String(row['request_id']));
};

test('ledger archive lists the months, writes files, and has nothing to do again', async () => {
  const before = await ids();
  const words = ['ledger', 'archive', '--before', '2027-01'];
  const planned = await json(...words, '--dry-run');
  expect(planned.archives).toEqual([]);
  expect(planned.months[0]).toMatchObject({ month: '2026-09', archived: 0 });
  expect((await run(...words, '--dry-run')).out).toMatch(/^MONTH +REQUESTS +ARCHIVED\n2026-09/);
  expect(await ids()).toHaveLength(before.length);
  expect((await run('ledger', 'archive', '--before', '2026-13')).exit).toBe(2);
  const none = await json('ledger', 'archive', '--before', '2026-09');
  expect(none).toEqual({ months: [], archives: [] });
  for (const dryRun of [[], ['--dry-run']]) {
    const { out } = await run('ledger', 'archive', '--before', '2026-09', ...dryRun);
    expect(out).toStartWith('There is nothing to archive before 2026-09.');
  }

  const { archives } = await json(...words);
  const left = await ids();
  const inFiles: string[] = [];
  for (const { file, receipts } of archives) {
    const of: string[] = [];
    if (file !== null)
      for await (const { receipt } of readArchive(file)) of.push(String(receipt['request_id']));
    expect(of).toHaveLength(receipts);
    inFiles.push(...of);
  }
  expect([...inFiles, ...left].toSorted()).toEqual([...before].toSorted());
  expect(inFiles.length).toBeGreaterThan(100);
  expect(await room.database.ledger.verify()).toEqual([]);
  const again = await run(...words);
  expect(again.exit).toBe(0);
  expect(await ids()).toEqual(left);

  const [{ file }] = archives;
  const [id = ''] = inFiles;
  const refused = await run('request', 'refund', id, 'all', ...reason);
  expect([refused.exit === 0, refused.err]).toEqual([false, expect.stringContaining(file)]);
  const shown = await room.get(`/admin/v1/requests/${id}`, ADMIN_TOKEN);
  expect([shown.status, shown.body.error.message]).toEqual([404, expect.stringContaining(file)]);
  const own = await room.get(`/v1/requests/${id}`, room.keys.alice);
  expect([own.status, own.body.error.message]).toEqual([
    404,
    expect.stringContaining('archived by the operator'),
  ]);
  expect(own.body.error.message).not.toContain(file);
});

test('a month that is no month, or too young, is refused', async () => {
  const wrong = await run('ledger', 'archive', '--before', 'January');
  expect([wrong.exit === 0, wrong.err]).toEqual([false, expect.stringContaining('2025-02')]);
  const young = await room.post('/admin/v1/ledger/archives', { month: '2028-01' });
  expect([young.status, young.body.error.param]).toEqual([400, 'month']);
  const none = await room.post('/admin/v1/ledger/archives', { month: '2026-13' });
  expect([none.status, none.body.error.message]).toEqual([400, expect.stringContaining('2025-01')]);
  const caller = await room.ask('/admin/v1/ledger/archives', room.keys.alice);
  expect(caller.status).toBe(401);
});
