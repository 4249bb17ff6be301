import { afterAll, beforeAll, expect, test } from 'bun:test';
import { removeFiles } from '../../../ledger/sqlite/sqlite.fixture.ts';
import { parseAmount } from '../../../money/amount.ts';
import { openReportRoom } from './report-room.fixture.ts';

let room: Awaited<ReturnType<typeof openReportRoom>>;

beforeAll(async () => {
  room = await openReportRoom();
});
afterAll(async () => {
  await room.accounts.close();
  await room.database.close();
  removeFiles();
});

const amountOf = (text: unknown): bigint => parseAmount(String(text)) ?? raise(text);
function raise(text: unknown): never {
  throw new Error(`${text} is no amount`);
}

test('the amounts of a month add up from opening to closing', async () => {
  const { status, body } = await room.get('/v1/statements', room.keys.alice);
  expect(status).toBe(200);
  expect(body.is_whole).toBe(true);
  expect(body.data.length).toBeGreaterThan(0);
  for (const month of body.data) {
    const of = (...names: string[]): bigint =>
      names.reduce((sum, name) => sum + amountOf(month[name]), 0n);
    expect(of('opening', 'came_in', 'went_out')).toBe(of('closing'));
    expect(of('opening', 'top_ups', 'requests', 'refunds', 'exchanged', 'adjusted')).toBe(
      of('closing'),
    );
  }
});

test('statements are also a CSV, and take no other parameter', async () => {
  const { body } = await room.get('/v2/statements', room.keys.bob);
  const file = await room.ask('/v2/statements?format=csv', room.keys.bob);
  const [header = '', ...lines] = (await file.text()).trimEnd().split('\r\n');
  expect(header.replace('\uFEFF', '')).toStartWith('month,currency,opening,');
  expect(lines).toHaveLength(body.data.length);
  expect(lines[0]).toBe(Object.values(body.data[0]).join(','));
  const refused = await room.get('/v1/statements?limit=3', room.keys.bob);
  expect([refused.status, refused.body.error.param]).toEqual([400, 'limit']);
});
