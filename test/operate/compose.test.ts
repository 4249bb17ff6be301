/**
 * Tests `compose.yaml` without a container engine: runs the processes of its services with their
 * environments and files. These are two gateways, PostgreSQL and Caddy. A fake server replaces the
 * S3 store.
 */
import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKey } from '../../src/accounts/api-key.ts';
import { systemClock } from '../../src/clock.ts';
import { newTestDatabase } from '../../src/ledger/postgres/postgres.fixture.ts';
import { makeEnv, readCompose } from '../support/compose.ts';

const ROOT = join(import.meta.dir, '../..');
const START_LIMIT_MS = 60_000;
const { services } = readCompose(makeEnv('localhost'));

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return Number(port);
}

/** Starts a fake S3 server that stores objects in memory. */
function startS3() {
  const objects = new Map<string, Blob>();
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (searchParams.has('list-type')) return new Response('<ListBucketResult/>');
      if (request.method === 'PUT') objects.set(pathname, await request.blob());
      const found = objects.get(pathname);
      if (found === undefined) return new Response(null, { status: 404 });
      return new Response(request.method === 'GET' ? found : null, { headers: { etag: '"1"' } });
    },
  });
}

/** Waits until the URL answers with status 200. */
async function ready(url: string, child: Bun.Subprocess): Promise<void> {
  const began = performance.now();
  for (;;) {
    const answer = await fetch(url, { tls: { rejectUnauthorized: false } }).catch(() => null);
    if (answer?.ok === true) return;
    if (child.exitCode !== null || performance.now() - began > START_LIMIT_MS)
      throw new Error(`${url} is not ready (${answer?.status ?? 'no answer'})`);
    await Bun.sleep(50);
  }
}

type Place = { readonly folder: string; readonly database: string; readonly s3: string };

/** Starts a gateway with the command of its service and a data folder of its own. */
async function startGateway(name: string, { folder, database, s3 }: Place, key: string) {
  const [program = '', ...args] = services[name]?.entrypoint ?? [];
  const data = join(folder, name);
  mkdirSync(data);
  const config = join(folder, `${name}.yaml`);
  const text = readFileSync(join(ROOT, 'deploy/compose/modelgate.yaml'), 'utf8');
  writeFileSync(config, text.replace('0.0.0.0:9464', `127.0.0.1:${freePort()}`));
  const port = freePort();
  const child = Bun.spawn([program, ...args], {
    cwd: data,
    env: {
      ...services[name]?.environment,
      PATH: `${folder}/bin:${process.env['PATH']}`,
      MODELGATE_CONFIG: config,
      MODELGATE_DATABASE: database,
      MODELGATE_DATA_DIR: data,
      MODELGATE_LISTEN: `127.0.0.1:${port}`,
      MODELGATE_INIT_KEY: key,
      MODELGATE_INIT_CREDIT: '9 USD',
      S3_ENDPOINT: s3,
      LOG_LEVEL: 'warn',
    },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  await ready(`http://127.0.0.1:${port}/readyz`, child);
  return { child, port };
}

async function startCaddy(folder: string, ports: readonly number[]) {
  const port = freePort();
  const text = readFileSync(join(ROOT, 'deploy/compose/Caddyfile'), 'utf8')
    .replace('gateway-1:8787 gateway-2:8787', ports.map((each) => `127.0.0.1:${each}`).join(' '))
    // Changes Caddy's settings. With the original ones, the test would use port 80 and change which
    // certificates this machine trusts.
    .replace('admin off', 'admin off\nauto_https disable_redirects\nskip_install_trust');
  writeFileSync(join(folder, 'Caddyfile'), text);
  const child = Bun.spawn(['caddy', 'run', '--config', join(folder, 'Caddyfile')], {
    env: { PATH: process.env['PATH'], HOME: folder, DOMAIN: `localhost:${port}` },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const url = `https://localhost:${port}`;
  await ready(`${url}/healthz`, child);
  return { child, url };
}

test('two gateways sell behind Caddy, stream, share images, and one may stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-compose-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(ROOT, 'bin/modelgate'), join(folder, 'bin/modelgate'));
  const s3 = startS3();
  const place = { folder, database: await newTestDatabase(), s3: `http://127.0.0.1:${s3.port}` };
  const key = generateKey(systemClock).reveal();
  const first = await startGateway('gateway-1', place, key);
  const second = await startGateway('gateway-2', place, key);
  const caddy = await startCaddy(folder, [first.port, second.port]);
  const children = [caddy.child, first.child, second.child];
  try {
    const call = (url: string, path: string, body?: object) =>
      fetch(`${url}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        tls: { rejectUnauthorized: false },
      });
    const messages = [{ role: 'user', content: 'Write about the sea.' }];
    const chat = { model: 'gen-v4-flash', messages, max_tokens: 200 };

    const streamed = await call(caddy.url, '/v1/chat/completions', { ...chat, stream: true });
    const times: number[] = [];
    for await (const _ of streamed.body ?? []) times.push(performance.now());
    // The demo model sends 120 tokens per second. If the proxy buffered, the tokens would arrive
    // all at once.
    expect(times.length).toBeGreaterThan(10);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(300);

    const image = await call(`http://127.0.0.1:${first.port}`, '/v1/images/generations', {
      ...{ model: 'img-2', prompt: 'sea', size: '256x256' },
    });
    const { pathname, search } = new URL((await image.json()).data[0].url);
    const other = await fetch(`http://127.0.0.1:${second.port}${pathname}${search}`);
    expect(other.headers.get('content-type')).toBe('image/png');

    first.child.kill('SIGTERM');
    const statuses: number[] = [];
    for (let index = 0; index < 10; index++)
      statuses.push((await call(caddy.url, '/v1/models')).status);
    expect(await first.child.exited).toBe(0);
    const last = await call(caddy.url, '/v1/chat/completions', { ...chat, stream: false });
    expect([...statuses, last.status]).toEqual(Array.from({ length: 11 }, () => 200));
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exited));
    await s3.stop(true);
    rmSync(folder, { recursive: true });
  }
});
