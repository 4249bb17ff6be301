/**
 * Tests stored secrets in complete gateways: who can access them, the key that encrypts them, and
 * that they do not leak.
 */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { newKey } from '../secrets/secret-keys.ts';
import { Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, newFolder, removeFolders } from './gateway.fixture.ts';
import { SECRETS_KEY_FILE } from './secrets.ts';
import {
  admin,
  cli,
  closeAll,
  filesIn,
  openPlain as open,
  VALUE,
} from './stored-secrets.fixture.ts';

setDefaultTimeout(180_000);

const MAIN = join(import.meta.dir, '../main.ts');
afterEach(closeAll);
afterAll(removeFolders);

describe('the API', () => {
  test('stores, lists and deletes a secret, and never returns its value', async () => {
    const gateway = await open(newFolder());
    const put = await admin(gateway, 'PUT /admin/v1/secrets/OPENAI', { value: VALUE });
    expect([put.status, put.body]).toEqual([
      200,
      {
        name: 'OPENAI',
        state: 'ready',
        last_four: 'WXYZ',
        set_at: expect.stringMatching(/Z$/),
        set_by: 'admin',
        set_by_name: null,
        used_by: [],
        problem: null,
      },
    ]);
    const listed = await admin(gateway, 'GET /admin/v1/secrets');
    expect(listed.body).toEqual({ data: [put.body] });
    const deleted = await admin(gateway, 'DELETE /admin/v1/secrets/OPENAI');
    expect(deleted.body).toEqual({ name: 'OPENAI', deleted: true });
    expect((await admin(gateway, 'GET /admin/v1/secrets')).body).toEqual({ data: [] });
    expect((await admin(gateway, 'DELETE /admin/v1/secrets/OPENAI')).status).toBe(404);
  });

  test('refuses values and names that are not valid, and does not repeat the value', async () => {
    const gateway = await open(newFolder());
    for (const [name, body, param] of [
      ['OPENAI', {}, 'value'],
      ['OPENAI', { value: '' }, 'value'],
      ['OPENAI', { value: [VALUE] }, 'value'],
      ['OPENAI', { value: VALUE.repeat(1000) }, 'value'],
      ['OPENAI', { value: VALUE, more: 1 }, 'more'],
      ['1OPENAI', { value: VALUE }, 'name'],
    ] as const) {
      const { status, body: answer } = await admin(gateway, `PUT /admin/v1/secrets/${name}`, body);
      expect([status, answer.error.param]).toEqual([400, param]);
      expect(JSON.stringify(answer)).not.toContain(VALUE);
    }
    expect((await admin(gateway, 'GET /admin/v1/secrets')).body.data).toEqual([]);
  });

  test('audits each change with its actor', async () => {
    const gateway = await open(newFolder());
    await admin(gateway, 'PUT /admin/v1/secrets/A', { value: VALUE });
    await admin(gateway, 'POST /admin/v1/secrets/rotate', {});
    await admin(gateway, 'DELETE /admin/v1/secrets/A');
    const { body } = await admin(gateway, 'GET /admin/v1/audit?subject=A');
    const entries: { action: string; actor: string; subject: string }[] = body.data;
    expect(entries.map(({ action, actor }) => [action, actor]).toReversed()).toEqual([
      ['secret.set', 'admin'],
      ['secret.delete', 'admin'],
    ]);
  });
});

describe('the command line', () => {
  test('stores a secret from a file without its last line break', async () => {
    const folder = newFolder();
    const gateway = await open(folder);
    const file = join(newFolder(), 'key');
    writeFileSync(file, `${VALUE}\n`);
    const stored = await cli(gateway, 'secrets', 'set', 'OPENAI', '--from-file', file);
    expect(stored).toEqual({
      exit: 0,
      out: 'The secret OPENAI, which ends with WXYZ, is stored.\n',
      err: '',
    });
    const listed = await cli(gateway, 'secrets', 'list');
    expect(listed.out).toMatch(/OPENAI +ready +WXYZ +\S+Z +admin +-/);
    expect((await cli(gateway, 'secrets', 'rotate')).out).toMatch(/^0 secrets .* 1 already were/);
    expect((await cli(gateway, 'secrets', 'delete', 'OPENAI')).exit).toBe(0);
    expect((await cli(gateway, 'secrets', 'list')).out).toContain('There are no secrets');
  });

  test('reads a secret from standard input', async () => {
    const gateway = await open(newFolder());
    const server = Bun.serve({ port: 0, fetch: (request) => gateway.edge.fetch(request) });
    const child = Bun.spawn([process.execPath, MAIN, 'secrets', 'set', 'OPENAI'], {
      stdin: new Blob([`${VALUE}\n`]),
      stdout: 'pipe',
      env: { MODELGATE_LISTEN: `127.0.0.1:${server.port}`, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN },
    });
    const out = await new Response(child.stdout).text();
    await server.stop(true);
    expect([await child.exited, out]).toEqual([0, expect.stringContaining('ends with WXYZ')]);
    expect((await cli(gateway, 'secrets', 'list')).out).toMatch(/OPENAI +ready +WXYZ/);
  });

  test('takes no value as an argument', async () => {
    const gateway = await open(newFolder());
    const { exit, err } = await cli(gateway, 'secrets', 'set', 'OPENAI', VALUE);
    expect([exit, err]).toEqual([2, expect.stringContaining('one argument too many')]);
  });
});

describe('the key', () => {
  test('is made at the first start for this user alone, and survives a restart', async () => {
    const folder = newFolder();
    await admin(await open(folder), 'PUT /admin/v1/secrets/A', { value: VALUE });
    await closeAll();
    expect(statSync(join(folder, SECRETS_KEY_FILE)).mode & 0o777).toBe(0o600);
    const { body } = await admin(await open(folder), 'GET /admin/v1/secrets');
    expect(body.data[0].state).toBe('ready');
  });

  test('may be lost: the gateway starts, names the secret, and takes it again', async () => {
    const folder = newFolder();
    await admin(await open(folder), 'PUT /admin/v1/secrets/A', { value: VALUE });
    await closeAll();
    rmSync(join(folder, SECRETS_KEY_FILE));
    const gateway = await open(folder);
    expect((await cli(gateway, 'secrets', 'list')).out).toMatch(/A +unreadable +WXYZ/);
    const rotated = await admin(gateway, 'POST /admin/v1/secrets/rotate', {});
    expect(rotated.body).toMatchObject({ rotated: [], current: [], unreadable: ['A'] });
    const again = await admin(gateway, 'PUT /admin/v1/secrets/A', { value: VALUE });
    expect(again.body.state).toBe('ready');
    expect((await new Visit(gateway).send('GET /v1/models')).status).toBe(200);
  });

  test('that is malformed stores nothing, and the rest of the gateway works', async () => {
    const folder = newFolder();
    const key = join(folder, SECRETS_KEY_FILE);
    writeFileSync(key, 'not a key\n');
    const gateway = await open(folder);
    const refused = await admin(gateway, 'PUT /admin/v1/secrets/A', { value: VALUE });
    expect([refused.status, refused.body.error]).toMatchObject([
      503,
      { code: 'secrets_key_missing', message: expect.stringContaining(key) },
    ]);
    expect((await new Visit(gateway).send('GET /v1/models')).status).toBe(200);
  });

  test('rotates when a new one is put first', async () => {
    const folder = newFolder();
    const gateway = await open(folder);
    await admin(gateway, 'PUT /admin/v1/secrets/A', { value: VALUE });
    const file = join(folder, SECRETS_KEY_FILE);
    const [old, fresh] = [readFileSync(file, 'utf8').trim(), newKey(systemClock)];
    writeFileSync(file, `${fresh}\n${old}\n`);
    expect((await cli(gateway, 'secrets', 'rotate')).out).toMatch(/^1 secrets were encrypted/);
    await closeAll();
    writeFileSync(file, `${fresh}\n`);
    const { body } = await admin(await open(folder), 'GET /admin/v1/secrets');
    expect(body.data[0].state).toBe('ready');
  });
});

test('no file and no answer holds the value of a secret after its use', async () => {
  const folder = newFolder();
  const gateway = await open(folder);
  const answers: string[] = [];
  const ask = async (route: string, body: object | null = null) => {
    const answer = await admin(gateway, route, body);
    answers.push(JSON.stringify([...answer.headers]), JSON.stringify(answer.body));
  };
  await ask('PUT /admin/v1/secrets/A', { value: VALUE });
  await ask('PUT /admin/v1/secrets/A', { value: `${VALUE}-2` });
  await ask('PUT /admin/v1/secrets/A', { value: VALUE, more: 1 });
  await ask('POST /admin/v1/secrets/rotate', {});
  await ask('POST /admin/v1/backup', {});
  const { body } = await admin(gateway, 'GET /openapi.json');
  const lists = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
    path.startsWith('/admin/v1/') && 'get' in Object(methods) && !path.includes('{') ? [path] : [],
  );
  expect(lists.length).toBeGreaterThan(10);
  for (const path of lists) await ask(`GET ${path}`);
  await closeAll();
  expect(answers.join('\n')).toContain('WXYZ');
  expect(answers.filter((text) => text.includes(VALUE))).toEqual([]);
  const files = filesIn(folder);
  expect(files.some((path) => path.endsWith('.db'))).toBe(true);
  expect(files.filter((path) => readFileSync(path).includes(VALUE))).toEqual([]);
});
