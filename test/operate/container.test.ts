/**
 * Tests the image that `buildah` builds: it serves requests without root rights, on a read-only
 * root file system.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKey } from '../../src/accounts/api-key.ts';
import { systemClock } from '../../src/clock.ts';
import { type Built, buildah, buildImage, configOf, type ImageConfig, start } from './image.ts';

const MOST_BYTES = 200_000_000;
const START_LIMIT_MS = 20_000;
const USER = 10_001;

let built: Built;
let config: ImageConfig;
const folders: string[] = [];
beforeAll(() => {
  built = buildImage();
  config = configOf(built);
}, 1_800_000);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  if (built === undefined) return;
  buildah('rm', built.container);
  // Deletes the images of earlier runs, whose name now belongs to this run's image.
  buildah('rmi', '--prune');
});

/** Returns a folder that replaces the container's volume. The image's user owns it. */
function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-volume-'));
  folders.push(folder);
  chownSync(folder, USER, USER);
  return folder;
}

/**
 * Runs the command that the image states, and waits until the health check that the image states
 * succeeds.
 */
async function startContainer() {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = String(server.port);
  await server.stop();
  const key = generateKey(systemClock).reveal();
  const env = {
    HOST: '127.0.0.1',
    PORT: port,
    MODELGATE_INIT_KEY: key,
    MODELGATE_INIT_CREDIT: '9 USD',
  };
  const data = dataFolder();
  const began = performance.now();
  const command = [...config.Entrypoint, ...config.Cmd];
  const gateway = start(built, config, { data, env, command });
  const [, ...check] = config.Healthcheck.Test;
  for (;;) {
    if ((await start(built, config, { data, env, command: check }).exited) === 0) break;
    if (performance.now() - began > START_LIMIT_MS || gateway.exitCode !== null) {
      gateway.kill();
      throw new Error(`not healthy: ${await new Response(gateway.stderr).text()}`);
    }
  }
  return { gateway, url: `http://127.0.0.1:${port}`, key, env, data, began };
}

test('is small, and states what an engine needs to know', () => {
  console.log(`The image has ${(built.bytes / 1e6).toFixed(0)} MB.`);
  expect(built.bytes).toBeLessThan(MOST_BYTES);
  expect(config).toMatchObject({
    User: `${USER}:${USER}`,
    StopSignal: 'SIGTERM',
    Volumes: { '/var/lib/modelgate': {} },
    Labels: {
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': '0.0.0-test',
    },
  });
});

test('sells, draws and shows the console as a user on a read-only root', async () => {
  const { gateway, url, key, began } = await startContainer();
  const status = await Bun.file(`/proc/${gateway.pid}/status`).text();
  expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const messages = [{ role: 'user', content: 'Hello!' }];
  const chat = await post('/v1/chat/completions', { model: 'gen-v4-pro', messages });
  expect(await chat.json()).toMatchObject({ usage: { cost_currency: 'CNY' } });
  console.log(
    `The first paid answer came after ${((performance.now() - began) / 1000).toFixed(1)} s.`,
  );
  const image = await post('/v1/images/generations', {
    ...{ model: 'img-2', prompt: 'sea', size: '256x256', response_format: 'b64_json' },
  });
  expect(image.status).toBe(200);
  expect((await fetch(`${url}/console/login`)).status).toBe(200);
  gateway.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

test('commands find the gateway of their container', async () => {
  const { gateway, env, data } = await startContainer();
  const verify = start(built, config, { data, env, command: ['modelgate', 'ledger', 'verify'] });
  expect(await new Response(verify.stdout).text()).toContain('The ledger is sound');
  gateway.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

test('nothing but the volume and /tmp can be written', async () => {
  const write = (path: string) =>
    start(built, config, { data: dataFolder(), env: {}, command: ['sh', '-c', `echo > ${path}`] });
  expect(await write('/var/lib/modelgate/file').exited).toBe(0);
  expect(await write('/tmp/file').exited).toBe(0);
  expect(await write('/etc/file').exited).not.toBe(0);
  expect(await write('/opt/file').exited).not.toBe(0);
});
