// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
/** Tests settings that refer to stored secrets, on complete gateways and on several nodes. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../test/support/eventually.ts';
import { newTestDatabase } from '../ledger/postgres/postgres.fixture.ts';
import { Visit } from './console.fixture.ts';
import { newFolder, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';
import { SECRETS_KEY_FILE } from './secrets.ts';
import {
  admin,
  cli,
  closeAll,
  filesIn,
  logged,
  openReferring,
  seen,
  VALUE,
} from './stored-secrets.fixture.ts';

setDefaultTimeout(180_000);
afterEach(closeAll);
afterAll(removeFolders);

const routeOf = async (gateway: Gateway) => {
  const { body } = await admin(gateway, 'GET /admin/v1/routes');
  const routes: { upstream: string; standing: string; last_failure: { cause: string } | null }[] =
    body.data;
  return routes.find(({ upstream }) => upstream === 'other');
};

const testOther = (gateway: Gateway) =>
  admin(gateway, 'POST /admin/v1/upstreams/other/test', { model: 'm' });

const KEY_REFERENCE = '${secret:OTHER}';
const KEY = `api_key: "${KEY_REFERENCE}"`;

describe('a setting that refers to a secret', () => {
  test('is without effect until the secret is set, which needs no restart', async () => {
    const folder = newFolder();
    const gateway = await openReferring(folder, KEY);
    expect(logged.get(folder)?.join()).toContain(
      'upstreams.other.api_key","problem":"the secret OTHER is not set; enter it with `modelgate secrets set OTHER`',
    );
    expect(await routeOf(gateway)).toMatchObject({
      standing: 'open',
      last_failure: { cause: expect.stringContaining('the secret OTHER is not set') },
    });
    const [unset] = (await admin(gateway, 'GET /admin/v1/secrets')).body.data;
    expect(unset).toMatchObject({
      name: 'OTHER',
      state: 'unset',
      set_at: null,
      used_by: ['upstreams.other.api_key'],
      problem: expect.stringContaining('is not set'),
    });
    const before = seen.length;
    expect((await testOther(gateway)).body.ok).toBe(false);
    expect(seen.length).toBe(before);
    const { body } = await admin(gateway, 'PUT /admin/v1/secrets/OTHER', { value: VALUE });
    expect(body).toMatchObject({ state: 'ready', problem: null });
    expect(await routeOf(gateway)).toMatchObject({ standing: 'closed', last_failure: null });
    await testOther(gateway);
    expect(seen.slice(before).every((each) => each === `Bearer ${VALUE}`)).toBe(true);
    expect(seen.length).toBeGreaterThan(before);
  });

  test('keeps the secret from being deleted, and takes a new value at once', async () => {
    const gateway = await openReferring(newFolder(), KEY);
    await admin(gateway, 'PUT /admin/v1/secrets/OTHER', { value: VALUE });
    const refused = await admin(gateway, 'DELETE /admin/v1/secrets/OTHER');
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'conflict', message: expect.stringContaining('upstreams.other.api_key') },
    ]);
    await admin(gateway, 'PUT /admin/v1/secrets/OTHER', { value: `${VALUE}-2` });
    await testOther(gateway);
    expect(seen.at(-1)).toBe(`Bearer ${VALUE}-2`);
  });

  test('refuses a value that does not fit, names itself, and keeps the earlier one', async () => {
    const gateway = await openReferring(
      newFolder(),
      'api_key: none, headers: { x-team: "team ${secret:TEAM}" }',
    );
    await admin(gateway, 'PUT /admin/v1/secrets/TEAM', { value: 'red' });
    const { status, body } = await admin(gateway, 'PUT /admin/v1/secrets/TEAM', { value: 'a\nb' });
    expect([status, body.error]).toMatchObject([
      400,
      {
        param: 'value',
        message:
          'value is not valid for upstreams.other.headers.x-team, which uses this secret: must be printable ASCII on one line.',
      },
    ]);
    expect((await routeOf(gateway))?.standing).toBe('closed');
  });

  test('survives the loss of the key: the rest sells, and the secret can be entered', async () => {
    const folder = newFolder();
    const before = await openReferring(folder, KEY, { MODELGATE_INIT_CREDIT: '100 USD' });
    const authorization = `Bearer ${before.firstStart?.key.reveal()}`;
    await admin(before, 'PUT /admin/v1/secrets/OTHER', { value: VALUE });
    await closeAll();
    rmSync(join(folder, SECRETS_KEY_FILE));
    const gateway = await openReferring(folder, KEY);
    const sell = (route: string, body: object) =>
      new Visit(gateway).send(route, body, { authorization });
    const image = { model: 'img-x', prompt: 'a tree' };
    const chat = { model: 'gen-x', messages: [{ role: 'user', content: 'hi' }] };
    expect((await sell('POST /v2/images/generations', image)).status).toBe(200);
    const refused = await sell('POST /v2/chat/completions', chat);
    expect([refused.status, refused.body.error.code]).toEqual([502, 'upstream_failed']);
    expect(JSON.stringify(refused.body)).not.toContain('OTHER');
    const lines = logged.get(folder)?.join('\n') ?? '';
    expect(lines).toContain('{"secrets":["OTHER"]}');
    expect(lines).toContain('enter them again with `modelgate secrets set NAME`');
    expect(await routeOf(gateway)).toMatchObject({
      standing: 'open',
      last_failure: { cause: expect.stringContaining("cannot be decrypted with this node's key") },
    });
    expect((await cli(gateway, 'secrets', 'list')).out).toMatch(/OTHER +unreadable/);
    await admin(gateway, 'PUT /admin/v1/secrets/OTHER', { value: VALUE });
    expect((await routeOf(gateway))?.standing).toBe('closed');
    expect((await sell('POST /v2/chat/completions', chat)).status).toBe(200);
    expect(seen.at(-1)).toBe(`Bearer ${VALUE}`);
  });

  test('leaks no value to files, answers or the log', async () => {
    const folder = newFolder();
    const gateway = await openReferring(folder, KEY);
    await admin(gateway, 'PUT /admin/v1/secrets/OTHER', { value: VALUE });
    const answers = [await testOther(gateway)];
    for (const path of ['settings', 'secrets', 'routes', 'audit', 'channels'])
      answers.push(await admin(gateway, `GET /admin/v1/${path}`));
    await closeAll();
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(VALUE);
    expect(logged.get(folder)?.join('\n')).not.toContain(VALUE);
    expect(filesIn(folder).filter((path) => readFileSync(path).includes(VALUE))).toEqual([]);
  });
});

test('a configuration in the database refers to secrets, and warns of one that is missing', async () => {
  const gateway = await openReferring(newFolder(), 'api_key: none', {}, 'config: database\n');
  const change = async (revision: number, apiKey: string) =>
    await admin(
      gateway,
      'PATCH /admin/v1/config/upstreams/other',
      { value: { api_key: apiKey } },
      { 'if-match': `"${revision}"` },
    );
  const changed = await change(1, KEY_REFERENCE);
  expect(changed.body.warnings).toMatchObject([
    {
      code: 'secret_missing',
      path: 'upstreams.other.api_key',
      message: expect.stringContaining('the secret OTHER is not set'),
    },
  ]);
  expect((await routeOf(gateway))?.standing).toBe('open');
  await admin(gateway, 'PUT /admin/v1/secrets/OTHER', { value: VALUE });
  expect((await routeOf(gateway))?.standing).toBe('closed');
  await testOther(gateway);
  expect(seen.at(-1)).toBe(`Bearer ${VALUE}`);
  const shown = await admin(gateway, 'GET /admin/v1/config/export');
  expect(shown.body).toContain(KEY_REFERENCE);
  expect(shown.body).not.toContain(VALUE);
});

describe('several nodes', () => {
  test('follow a secret that another one changes, if they have its key', async () => {
    const url = await newTestDatabase();
    const [one, two, three] = [newFolder(), newFolder(), newFolder()];
    const key = { MODELGATE_DATABASE: url };
    const first = await openReferring(one, KEY, key);
    copyFileSync(join(one, SECRETS_KEY_FILE), join(two, SECRETS_KEY_FILE));
    const second = await openReferring(two, KEY, key);
    const third = await openReferring(three, KEY, key);
    await admin(first, 'PUT /admin/v1/secrets/OTHER', { value: VALUE });
    const states = async () =>
      await Promise.all(
        [first, second, third].map(async (node) => [
          (await admin(node, 'GET /admin/v1/secrets')).body.data[0].state,
          (await routeOf(node))?.standing,
        ]),
      );
    const wanted = [
      ['ready', 'closed'],
      ['ready', 'closed'],
      ['unreadable', 'open'],
    ];
    // The other nodes poll every 0.4 s.
    await eventually('the nodes follow', states, (shown) => Bun.deepEquals(shown, wanted));
    expect(logged.get(three)?.join()).toContain("this node's key cannot decrypt these secrets");
    expect(logged.get(two)?.join()).not.toContain('cannot decrypt');
  });
});
