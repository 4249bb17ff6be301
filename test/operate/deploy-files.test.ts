/**
 * Tests the files of deploy/ with the programs that read them: nginx, Caddy and `systemd-analyze`.
 * Requires Debian's packages `nginx-light`, `caddy` and `systemd`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { eventually } from '../support/eventually.ts';
import {
  type GatewayProcess,
  runModelgate,
  startGateway,
} from '../support/gateways/gateway-process.ts';

const ROOT = join(import.meta.dir, '../..');
const deployed = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8');
/** The maximum exposure score of `systemd-analyze security`, whose scale is 0 to 10. */
const MOST_EXPOSURE = 2;
const START_LIMIT_MS = 30_000;
/** The size of a request body that exceeds nginx's default limit of 1 MB. */
const LARGE_BYTES = 2 * 1024 * 1024;

let gateway: GatewayProcess;
let folder: string;
const running: Subprocess[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  folder = mkdtempSync(join(tmpdir(), 'modelgate-deploy-'));
  const made = Bun.spawnSync(
    [
      ...'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' '),
      ...['-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost'],
    ],
    { cwd: folder },
  );
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
});
afterAll(async () => {
  for (const child of running) child.kill();
  await Promise.all(running.map(({ exited }) => exited));
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Replaces each key of `edits` with its value. @throws Error when a key does not occur. */
function edited(text: string, edits: Readonly<Record<string, string>>): string {
  return Object.entries(edits).reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`not there: ${from}`);
    return edited.replaceAll(from, to);
  }, text);
}

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

async function answering(command: readonly string[], port: number): Promise<string> {
  const child = Bun.spawn([...command], { cwd: folder, stdout: 'ignore', stderr: 'pipe' });
  running.push(child);
  const url = `https://localhost:${port}`;
  await eventually(
    `${command[0]} answers`,
    async () => {
      if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text());
      const options = { tls: { rejectUnauthorized: false } };
      return await fetch(`${url}/healthz`, options).then(
        ({ status }) => status,
        () => 0,
      );
    },
    (status) => status === 200,
    START_LIMIT_MS,
  );
  return url;
}

async function startNginx(name: string, edits: Readonly<Record<string, string>>): Promise<string> {
  const port = freePort();
  const site = edited(deployed('nginx.conf'), {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    'models.example;': 'localhost;',
    '127.0.0.1:8787': new URL(gateway.url).host,
    '/etc/letsencrypt/live/models.example/fullchain.pem': join(folder, 'cert.pem'),
    '/etc/letsencrypt/live/models.example/privkey.pem': join(folder, 'key.pem'),
    ...edits,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${join(folder, `${name}-${each}`)};`,
  );
  const main = join(folder, `${name}.conf`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    main,
    `${user} daemon off; error_log stderr; pid ${folder}/${name}.pid; events {}
     http { access_log off; ${temporary.join(' ')}\n${site}}`,
  );
  return await answering(['nginx', '-c', main, '-e', 'stderr'], port);
}

async function startCaddy(): Promise<string> {
  const port = freePort();
  const own = `{\n\tadmin off\n\tauto_https disable_redirects\n}\nhttps://localhost:${port} {\n\ttls cert.pem key.pem`;
  const file = join(folder, 'Caddyfile');
  const host = new URL(gateway.url).host;
  writeFileSync(
    file,
    edited(deployed('Caddyfile'), { 'models.example {': own, '127.0.0.1:8787': host }),
  );
  return await answering(['caddy', 'run', '--adapter', 'caddyfile', '--config', file], port);
}

/** Returns the findings of `modelgate doctor` for this URL, each as `LEVEL CHECK`. */
async function found(url: string): Promise<readonly string[]> {
  const { stdout } = await runModelgate(
    ['doctor', '--json', '--config', gateway.configPath, '--url', url],
    {
      MODELGATE_ADMIN_TOKEN: gateway.adminToken,
      MODELGATE_DATA_DIR: gateway.dataDir,
      NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
    },
  );
  const checks: readonly { level: string; check: string }[] = JSON.parse(stdout).checks;
  return checks.map(({ level, check }) => `${level} ${check}`);
}

async function sendLarge(url: string): Promise<number> {
  const messages = [{ role: 'user', content: 'x'.repeat(LARGE_BYTES) }];
  const { status } = await fetch(`${url}/v2/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gen-v4-flash', messages, stream: false, max_tokens: 5 }),
    tls: { rejectUnauthorized: false },
  });
  return status;
}

describe.each([
  ['nginx', () => startNginx('site', {})],
  ['Caddy', startCaddy],
] as const)('%s', (_name, start) => {
  test('passes streams and large bodies on', async () => {
    const url = await start();
    expect(await found(url)).toEqual(expect.arrayContaining(['ok public URL', 'ok streams']));
    expect(await sendLarge(url)).toBe(200);
  });
});

test('doctor finds an nginx that holds streams back, and a certificate that is not trusted', async () => {
  const url = await startNginx('buffering', {
    'proxy_buffering off;': 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;',
  });
  expect(await found(url)).toContain('fail streams');
  const { stdout } = await runModelgate(
    ['doctor', '--json', '--config', gateway.configPath, '--url', url],
    { MODELGATE_DATA_DIR: gateway.dataDir },
  );
  expect(stdout).toContain('Give the proxy a valid certificate');
});

test('the unit has no mistake and closes the gateway off', () => {
  const unit = join(folder, 'modelgate.service');
  const text = deployed('modelgate.service');
  writeFileSync(unit, edited(text, { '/usr/local/bin/modelgate': join(ROOT, 'bin/modelgate') }));
  const checked = Bun.spawnSync(['systemd-analyze', 'verify', unit]);
  expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, '']);
  const rated = Bun.spawnSync(['systemd-analyze', 'security', '--offline=yes', unit]);
  const level = /Overall exposure level for .*: ([\d.]+)/.exec(rated.stdout.toString())?.[1];
  expect(Number(level)).toBeLessThan(MOST_EXPOSURE);
});
