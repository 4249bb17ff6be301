/** Tests reports with more rows than one query reads, and an audit log that was tampered with. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { nextTurn } from '../../../clock.ts';
import { adjust } from '../../../ledger/conformance/ledger.fixture.ts';
import { removeFiles } from '../../../ledger/sqlite/sqlite.fixture.ts';
import { applied } from '../../../reports/reports.fixture.ts';
import { respond } from './report-list.ts';
import { ADMIN_TOKEN, openReportRoom } from './report-room.fixture.ts';

let room: Awaited<ReturnType<typeof openReportRoom>>;
const MOVEMENTS = 1_200;
const BATCH = 400;

beforeAll(async () => {
  room = await openReportRoom();
  for (let from = 0; from < MOVEMENTS; from += BATCH) {
    const orders = Array.from({ length: BATCH }, (_, at) => adjust(`adj_${from + at}`, 1n));
    await applied(room.database, orders);
  }
});
afterAll(async () => {
  await room.accounts.close();
  await room.database.close();
  removeFiles();
});

const LISTS = [
  ['/v1/ledger?kind=adjust', () => room.keys.alice],
  ['/admin/v1/audit?action=wallet.adjust', () => ADMIN_TOKEN],
] as const;

test('writes a long list as one CSV, page by page, with every row once', async () => {
  for (const [path, token] of LISTS) {
    const response = await room.ask(`${path}&format=csv`, token());
    expect(response.headers.get('x-next')).toBeNull();
    const chunks: string[] = [];
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) chunks.push(decoder.decode(bytes));
    expect(chunks.length).toBeGreaterThan(MOVEMENTS / 500);
    const [header = '', ...lines] = chunks.join('').trimEnd().split('\r\n');
    const at = header.split(',').indexOf('id');
    const ids = lines.map((line) => line.split(',')[at]);
    expect(ids).toHaveLength(MOVEMENTS);
    expect(new Set(ids).size).toBe(MOVEMENTS);
    const json = await room.get(`${path}&limit=1000`, token());
    expect(ids.slice(0, 1_000)).toEqual(json.body.data.map((row: { id: unknown }) => `${row.id}`));
  }
});

test('reads the pages of several files one after the other', async () => {
  let running = 0;
  let most = 0;
  const fileOf = async (pages: number, fails = false) => {
    const page = async (_limit: number, after: string | null) => {
      running += 1;
      most = Math.max(most, after === null ? 0 : running);
      await nextTurn();
      running -= 1;
      if (fails && after !== null) throw new Error('the store is away');
      const at = Number(after ?? 0) + 1;
      return { rows: [{ id: `${at}` }], next: at === pages ? null : `${at}` };
    };
    const list = { name: 'things', columns: { id: 'text' }, page } as const;
    return await respond(list, { file: 'csv', limit: null, after: null }, 'program');
  };
  const files = [await fileOf(4), await fileOf(4), await fileOf(4, true), await fileOf(4)];
  const texts = files.map((file) => file.text().catch(() => 'failed'));
  const whole = 'id\r\n1\r\n2\r\n3\r\n4\r\n';
  expect(await Promise.all(texts)).toEqual([whole, whole, 'failed', whole]);
  expect(most).toBe(1);
});

test('writes JSON Lines with the rows of the JSON answer, also when asked by accept', async () => {
  const types = ['application/jsonl', 'application/x-ndjson;q=1, */*'];
  for (const [at, [path, token]] of LISTS.entries()) {
    const json = await room.get(`${path}&limit=1000`, token());
    const asked = await room.ask(`${path}&format=jsonl`, token());
    expect(asked.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    expect(asked.headers.get('content-disposition')).toMatch(/\.jsonl"$/);
    const text = await asked.text();
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(MOVEMENTS);
    expect(lines.slice(0, 1_000).map((line) => JSON.parse(line))).toEqual(json.body.data);
    const accept = { headers: { accept: types[at] ?? '' } };
    expect(await (await room.ask(path, token(), accept)).text()).toBe(text);
  }
});

test('sends x-next when a CSV is limited', async () => {
  const [path, token] = LISTS[0];
  const first = await room.ask(`${path}&format=csv&limit=700`, token());
  const rest = await room.ask(`${path}&format=csv&after=${first.headers.get('x-next')}`, token());
  const rowsOf = async (response: Response) =>
    (await response.text()).trimEnd().split('\r\n').slice(1);
  const [before, after] = [await rowsOf(first), await rowsOf(rest)];
  expect([before.length, after.length]).toEqual([700, MOVEMENTS - 700]);
  expect(new Set([...before, ...after]).size).toBe(MOVEMENTS);
});

test('returns the first broken entry of the chain for verify=true', async () => {
  const chain = async () =>
    (await room.get('/admin/v1/audit?limit=1&verify=true', ADMIN_TOKEN)).body.chain;
  const whole = await chain();
  expect(whole).toMatchObject({ ok: true, first_broken_id: null });
  expect(whole.verified_up_to).toBeGreaterThan(MOVEMENTS);
  const { sql } = room.database;
  const [entry] = await sql.query({ sql: 'SELECT detail FROM audit WHERE id = 1100', params: [] });
  const write = (detail: string) =>
    sql.query({ sql: 'UPDATE audit SET detail = $1 WHERE id = 1100', params: [detail] });
  await write('{}');
  expect(await chain()).toMatchObject({ ok: false, first_broken_id: 1_100 });
  await write(String(entry?.['detail']));
  expect(await chain()).toEqual(whole);
  await sql.query({ sql: 'DELETE FROM audit WHERE id = 40', params: [] });
  expect(await chain()).toMatchObject({ ok: false, first_broken_id: 41 });
});
