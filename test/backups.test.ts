/**
 * Tests encrypted backups in a bucket: creating them while requests run, listing them, and
 * restoring them on a new machine.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keyText } from '../src/backups/backups.fixture.ts';
import { newEmptyDatabase } from '../src/ledger/postgres/postgres.fixture.ts';
import { startBucket } from '../src/store/s3/bucket.fixture.ts';
import { eventually } from './support/eventually.ts';
import { startNode } from './support/gateways/gateway-nodes.ts';
import {
  type GatewayProcess,
  runModelgate,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { breaches } from './support/history/ledger-views.ts';
import { ask, CHAT, hello } from './support/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelgate-backups-'));
const bucket = startBucket();
const config = `${shippedConfig()}
backups:
  s3:
    bucket: ${bucket.settings.bucket}
    endpoint: ${bucket.settings.endpoint}
    access_key_id: access
    secret_access_key: secret
    prefix: gateways/one
  key: \${BACKUP_KEY}
`;
const BACKUP_KEY = keyText('of this installation');
const KEY_FILES = ['console.key', 'image-url.keys', 'secrets.key'];

let gateway: GatewayProcess;
let backup = '';

const run = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  at: GatewayProcess = gateway,
) =>
  runModelgate(args, {
    BACKUP_KEY,
    MODELGATE_CONFIG: at.configPath,
    MODELGATE_DATA_DIR: at.dataDir,
    MODELGATE_ADMIN_TOKEN: at.adminToken,
    MODELGATE_LISTEN: new URL(at.url).host,
    ...env,
  });

beforeAll(async () => {
  gateway = await startGateway({ config, env: { BACKUP_KEY } });
  expect((await ask(gateway, CHAT, hello.chat)).status).toBe(200);
  const made = await run(['backup']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  backup = made.stdout.trim();
}, 180_000);
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('the backup is in the bucket alone, and is listed', async () => {
  expect(backup).toMatch(/^s3:\/\/pictures\/gateways\/one\/modelgate-[0-9a-f]{8}-\w+\.db\.enc$/);
  const [[key, object] = ['', null]] = [...bucket.objects];
  expect(`s3://pictures/${key}`).toBe(backup);
  const bytes = Buffer.from(object?.bytes ?? []);
  for (const secret of [
    'SQLite format',
    readFileSync(join(gateway.dataDir, 'console.key'), 'utf8'),
  ])
    expect(bytes.includes(secret.trim())).toBe(false);
  expect(readdirSync(join(gateway.dataDir, 'backups'))).toEqual([]);
  const { stdout } = await run(['backups']);
  expect(stdout).toContain(backup);
  expect(JSON.parse((await run(['backups', '--json'])).stdout)).toMatchObject({
    place: 's3://pictures/gateways/one',
    encrypted: true,
    data: [{ file: backup, encrypted: true, sound: true, of_this_installation: true }],
  });
  const local = await run(['backup', '--local']);
  expect(dirname(local.stdout.trim())).toBe(join(gateway.dataDir, 'backups'));
  expect(readFileSync(local.stdout.trim(), 'latin1')).toStartWith('SQLite format 3');
}, 180_000);

test('another key, and a file that was cut, are refused and leave nothing', async () => {
  const target = join(folder, 'refused');
  const into = (named: string, ...more: readonly string[]) =>
    run(['restore', named, '--to', target, ...more]);
  const other = join(folder, 'other.key');
  writeFileSync(other, keyText('of another installation'));
  expect((await into(backup, '--key-file', other)).stderr).toContain('is encrypted with the key');
  const object = bucket.objects.get(backup.replace('s3://pictures/', ''));
  const cut = join(folder, 'cut.db.enc');
  writeFileSync(cut, (object?.bytes ?? new Uint8Array()).subarray(0, 200_000));
  expect((await into(cut)).stderr).toContain('is incomplete or damaged: its end is missing');
  const missing = await into(backup.replace(/-2/, '-1'));
  expect(missing.stderr).toContain('cannot be read from s3://pictures/gateways/one');
  expect(readdirSync(folder)).not.toContain('refused');
}, 180_000);

test('the drill on a new machine: database and keys come back, and it sells on', async () => {
  await gateway.kill9();
  const moved = join(folder, 'moved');
  const data = join(moved, 'data');
  const name = backup.split('/').at(-1) ?? '';
  const restored = await run(['restore', name, '--to', data]);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain(`Restored ${KEY_FILES.toSorted().join(', ')}`);
  expect(readdirSync(data).toSorted()).toEqual([...KEY_FILES, 'modelgate.db'].toSorted());
  for (const key of KEY_FILES)
    expect(readFileSync(join(data, key))).toEqual(readFileSync(join(gateway.dataDir, key)));

  // The second restore finds a key file that has changed since the first restore. It keeps this
  // changed file, writes the key of the backup beside it, and reports both.
  writeFileSync(join(data, 'console.key'), 'a'.repeat(64));
  const again = await run(['restore', name, '--to', data]);
  expect(again.stdout).toContain('console.key.of-backup. Decide which one is right');
  expect(readFileSync(join(data, 'console.key'), 'utf8')).toBe('a'.repeat(64));

  copyFileSync(join(gateway.folder, 'first-key'), join(moved, 'first-key'));
  await using sells = await startGateway({ folder: moved, config, env: { BACKUP_KEY } });
  expect(await breaches(sells)).toEqual([]);
  expect((await ask(sells, CHAT, hello.chat)).status).toBe(200);
}, 180_000);

test('by schedule: made after the start, and shown', async () => {
  const place = join(folder, 'scheduled');
  const scheduled = `${shippedConfig()}\nbackups: { every: 6h, folder: ${place} }\n`;
  await using sells = await startGateway({ config: scheduled });
  const listed = async () => JSON.parse((await run(['backups', '--json'], {}, sells)).stdout);
  const first = await eventually('a backup was made', listed, (it) => it.last_good_at !== null);
  expect(first).toMatchObject({
    place,
    every_ms: 21_600_000,
    failure: null,
    data: [{ sound: true }],
  });
  const headers = { authorization: `Bearer ${sells.adminToken}` };
  const metrics = await (await fetch(`${sells.url}/metrics`, { headers })).text();
  expect(metrics).toContain('modelgate_backup_interval_seconds 21600');
}, 180_000);

test('PostgreSQL: an encrypted backup in the bucket restores into an empty database', async () => {
  await using node = await startNode(await newEmptyDatabase(), { config, env: { BACKUP_KEY } });
  expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
  const made = await run(['backup'], {}, node);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout.trim()).toEndWith('.pgcopy.enc');
  const into = await newEmptyDatabase();
  const data = { MODELGATE_DATA_DIR: join(folder, 'node') };
  const restored = await run(['restore', made.stdout.trim(), '--to', into], data, node);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain('The ledger is sound: 1 receipt');
  expect(readdirSync(data.MODELGATE_DATA_DIR).toSorted()).toEqual(KEY_FILES);
}, 180_000);
