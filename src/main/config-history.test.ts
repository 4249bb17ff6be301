/**
 * Tests the history of the stored settings: where each revision came from, and imports of files.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { type Answer, Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

setDefaultTimeout(180_000);

let gateway: Gateway;
let contract: Contract;
beforeAll(async () => {
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, `config: database\n${SMALL_FILE}`);
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  gateway = await openGateway(depsOn({ path, env }));
  contract = await contractOf(gateway);
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

async function send(route: string, body: object | null = null, base = 0): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const answer = await new Visit(gateway).send(`${method} /admin/v1${path}`, body, {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    ...(base === 0 ? {} : { 'if-match': `"${base}"` }),
  });
  expect(contract.disagreement(`${method} /admin/v1${path}`, answer)).toBeNull();
  return answer;
}
const newest = async (): Promise<number> => (await send('GET /config')).body.revision;
const head = async (): Promise<Answer['body']> =>
  (await send('GET /config/revisions?limit=1')).body.data[0];
const audited = async (): Promise<Answer['body']> =>
  (await send('GET /audit?action=config.change&limit=1')).body.data[0].detail;

test('a revision says where it came from, and which settings it changed', async () => {
  expect(await head()).toMatchObject({ revision: 1, origin: 'file', changes_count: null });
  const limits = { drain: '9s', read_on: '1m', connect_timeout: '3s' };
  const more = { keep_alive: '9s', first_event_hold: '9s', answer_size: '2MiB' };
  await send('PATCH /config/settings/limits', { value: { ...limits, ...more } }, 1);
  expect(await head()).toMatchObject({ origin: 'change', restored: null, changes_count: 1 });
  await send('PATCH /config/settings/limits', { value: { drain: '8s', read_on: '2m' } }, 2);
  const paths = ['limits.drain', 'limits.read_on'];
  expect(await head()).toMatchObject({ changes_count: 2, paths });
  expect(await audited()).not.toHaveProperty('origin');
  await send('POST /config/revisions/2/restore', {}, 3);
  expect(await head()).toMatchObject({ origin: 'restore', restored: 2, changes_count: 2, paths });
  expect(await audited()).toMatchObject({ origin: 'restore', restored: 2 });
  const fewer = { drain: null, read_on: null, keep_alive: null, answer_size: null };
  const rest = { connect_timeout: '1s', first_event_hold: '1s' };
  await send('PATCH /config/settings/limits', { value: { ...fewer, ...rest } }, 4);
  const shown = await head();
  expect([shown.changes_count, shown.paths.length]).toEqual([6, 5]);
});

test('a file is tried before it is imported, and keeps the settings of the node', async () => {
  const base = await newest();
  const yaml = `listen: 1.2.3.4:5\n${SMALL_FILE.replace('7.1000', '7.25')}`;
  const tried = await send('POST /config/import?dry_run=true', { yaml, name: 'new.yaml' }, base);
  expect(tried.body).toMatchObject({ revision: base, dry_run: true, errors: [] });
  expect(tried.body.changes).toContainEqual(
    expect.objectContaining({ path: 'fx.USD/CNY', after: '"7.25"' }),
  );
  expect(await newest()).toBe(base);
  const made = await send('POST /config/import?note=March', { yaml, name: 'new.yaml' }, base);
  expect(made.body.revision).toBe(base + 1);
  expect(await head()).toMatchObject({ origin: 'import', note: 'March', restored: null });
  expect(await audited()).toMatchObject({ origin: 'import', note: 'March' });
  const { document } = (await send('GET /config')).body;
  expect(Object.keys(document)).not.toContain('listen');
});

test('unknown fields and YAML that cannot be read are named with their lines', async () => {
  const base = await newest();
  const unknown = SMALL_FILE.replace('maker: gen', 'makr: gen');
  const line = unknown.slice(0, unknown.indexOf('makr')).split('\n').length;
  const body = { yaml: unknown, name: 'new.yaml' };
  const tried = await send('POST /config/import?dry_run=true', body, base);
  expect(tried.body.errors).toContainEqual({
    path: 'models.gen-x.makr',
    message: 'unknown key; did you mean "maker"?',
    where: `new.yaml:${line}`,
  });
  const section = { yaml: `${SMALL_FILE}lmits: {}\n`, name: 'new.yaml' };
  const misspelled = await send('POST /config/import?dry_run=true', section, base);
  expect(misspelled.body.errors).toMatchObject([
    { path: 'lmits', where: `new.yaml:${SMALL_FILE.split('\n').length}` },
  ]);
  const refused = await send('POST /config/import', body, base);
  expect(refused.body.error).toMatchObject({ code: 'invalid_value' });
  expect(refused.body.error.message).toContain(`new.yaml:${line}: models.gen-x.makr: unknown key`);
  for (const [yaml, problem] of [
    ['a: [b', 'import.yaml:1'],
    ['fx: 1\nfx: 2', 'import.yaml:2'],
    ['- a', 'not a map'],
  ] as const) {
    const broken = await send('POST /config/import?dry_run=true', { yaml }, base);
    expect([broken.status, broken.body.changes]).toEqual([200, []]);
    expect(JSON.stringify(broken.body.errors)).toContain(problem);
    expect((await send('POST /config/import', { yaml }, base)).status).toBe(400);
  }
  expect(await newest()).toBe(base);
});
