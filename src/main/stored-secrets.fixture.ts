/** Gateways whose settings refer to stored secrets, and helpers for the tests of secrets. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../cli/cli.ts';
import { systemClock } from '../clock.ts';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { Secret } from '../config/secret.ts';
import { Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, configFor, depsOn, openGatewayOn } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

export const VALUE = 'sk-live-0123456789-abcdefghij-WXYZ';

/** The `Authorization` header of each request that the test provider received. */
export const seen: (string | null)[] = [];
/** The test provider. All test files in this process use it, so no test may stop it. */
export const provider = Bun.serve({
  port: 0,
  fetch: (request) => {
    seen.push(request.headers.get('authorization'));
    const message = { role: 'assistant', content: 'ok' };
    return Response.json({
      ...{ id: 'x', object: 'chat.completion', created: 1, model: 'm' },
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  },
});
provider.unref();

/** The errors that each gateway has logged, by the gateway's data folder. */
export const logged = new Map<string, string[]>();

const opened: Gateway[] = [];
export const closeAll = async () => {
  for (const gateway of opened.splice(0)) await gateway.close();
};

export async function openPlain(
  folder: string,
  env: Record<string, string> = {},
): Promise<Gateway> {
  const config = configFor(folder, { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN, ...env });
  const gateway = await openGatewayOn(config);
  opened.push(gateway);
  return gateway;
}

/**
 * Opens a gateway whose configuration file has the upstream `other` in addition to the built-in
 * one.
 * @param settings more settings of `other`, such as its key.
 */
export async function openReferring(
  folder: string,
  settings: string,
  env: Record<string, string> = {},
  start = '',
): Promise<Gateway> {
  const path = join(folder, 'my.yaml');
  const more = `upstreams:\n  other: { protocol: openai, allow_private: true, base_url: "${provider.url.href}v1", ${settings} }\n  builtin:`;
  const text = SMALL_FILE.replace('upstreams: { builtin:', more)
    .replace('{ protocol: builtin } }', '{ protocol: builtin }')
    .replace('{ upstream: builtin, model: x }]', '{ upstream: other, model: m }]');
  writeFileSync(path, start + text);
  const lines: string[] = [];
  logged.set(folder, lines);
  const vars = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN, ...env };
  const deps = depsOn({ path, env: vars });
  const error = (fields: object | string, message?: string): void => {
    lines.push(JSON.stringify([fields, message]));
  };
  const gateway = await openGateway({ ...deps, log: { ...deps.log, error } });
  opened.push(gateway);
  return gateway;
}

export const admin = (
  gateway: Gateway,
  route: string,
  body: object | null = null,
  headers: Readonly<Record<string, string>> = {},
) => new Visit(gateway).send(route, body, { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers });

export async function cli(gateway: Gateway, ...argv: string[]) {
  const written = { out: '', err: '' };
  const notHere = () => Promise.reject(new Error('not a command of these tests'));
  const exit = await runCli(
    argv,
    {
      stdout: (text) => {
        written.out += text;
      },
      stderr: (text) => {
        written.err += text;
      },
    },
    {
      clock: systemClock,
      version: '1.2.3',
      fetch: async (request) => await gateway.edge.fetch(request),
      settings: async () => ({
        baseUrl: 'http://gateway',
        dataDir: '',
        adminToken: new Secret(ADMIN_TOKEN),
      }),
      serve: notHere,
      check: notHere,
      doctor: notHere,
      migrate: notHere,
      restore: notHere,
    },
  );
  return { exit, ...written };
}

/** Returns the paths of all files below the folder. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
