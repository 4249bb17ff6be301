/** Tests that the console's code snippets run unchanged, with the real libraries. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChatRequest,
  type ImageRequest,
  KEY_VARIABLE,
  type ModelRequest,
  simpleChat,
  simpleEmbedding,
} from '../console/src/snippets/request.ts';
import { type Client, clientsFor, programFor } from '../console/src/snippets/snippet.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';

const ROOT = join(import.meta.dir, '..');
const AWKWARD: ChatRequest = {
  ...simpleChat('gen-sonnet-5', { channel: 'economical' }),
  messages: [
    { role: 'system', content: 'Be "brief", it\'s\nbetter.' },
    { role: 'user', content: '$HOME `id` $(id) \\ 你好 "two" \'one\'' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Go on.' },
  ],
  parameters: { max_tokens: 64, stop: ['END'] },
};
const WARM: ChatRequest = { ...AWKWARD, parameters: { temperature: 0.5, top_p: 0.9 } };
const WITH_TOOLS: ChatRequest = {
  ...simpleChat('gen-opus-4-8'),
  parameters: {
    tools: [
      {
        type: 'function',
        function: { name: 'now', parameters: { type: 'object', properties: {} } },
      },
    ],
    tool_choice: 'none',
  },
};
const PICTURE: ImageRequest = {
  kind: 'image',
  model: 'img-2',
  channel: 'stable',
  prompt: "a lighthouse at sunset, it's quiet",
  parameters: { size: '512x512', n: 1, response_format: 'url' },
};
const REQUESTS: readonly [string, ModelRequest][] = [
  ['a question', simpleChat('gen-opus-4-8')],
  ['a stream on a channel', simpleChat('gen-v4-flash', { channel: 'stable', isStreamed: true })],
  ['special characters and parameters', AWKWARD],
  ['the same, streamed', { ...AWKWARD, isStreamed: true }],
  ['parameters that Messages lacks', WARM],
  ['tools', WITH_TOOLS],
  ['an image', PICTURE],
  ['an embedding on a channel', simpleEmbedding('embed-1', 'stable')],
];

let gateway: GatewayProcess;
/** The folder in which the snippets run. It contains the libraries that they import. */
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  folder = mkdtempSync(join(tmpdir(), 'modelgate-snippets-'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, [KEY_VARIABLE]: gateway.key },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, stdout, stderr };
}

const isTypescript = (client: Client): boolean => /typescript|ai-sdk|langchain/.test(client);
const cases = (wanted: (client: Client) => boolean): [string, Client, ModelRequest][] =>
  REQUESTS.flatMap(([name, request]) =>
    clientsFor(request)
      .filter(wanted)
      .map((client): [string, Client, ModelRequest] => [`${client}: ${name}`, client, request]),
  );

describe('TypeScript programs run', () => {
  test.each(cases(isTypescript))('%s', async (_name, client, request) => {
    // Only the programs for `AWKWARD` read the key from the environment. All others contain it.
    const key = request === AWKWARD ? null : gateway.key;
    const path = join(folder, 'program.ts');
    writeFileSync(path, programFor(client, { baseUrl: gateway.url, key }, request).code);
    const { code, stdout, stderr } = await run([process.execPath, path]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim()).not.toBe('');
  });
});

test('TypeScript programs type-check against their libraries', async () => {
  const files = cases(isTypescript).map(([, client, request], index) => {
    const { code } = programFor(client, { baseUrl: gateway.url, key: null }, request);
    const file = `typed-${index}-${client}.ts`;
    writeFileSync(join(folder, file), code);
    return file;
  });
  const options = '--noEmit --strict --module nodenext --target esnext --skipLibCheck --types node';
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await run([tsc, ...options.split(' '), '--ignoreConfig', ...files]);
  expect(stdout).toBe('');
});

describe('curl lines are answered', () => {
  const isCurl = (client: Client): boolean => client === 'curl';
  test.each(cases(isCurl))('%s', async (_name, client, request) => {
    const { code: line } = programFor(client, { baseUrl: gateway.url, key: null }, request);
    const { code, stdout } = await run(['bash', '-c', line]);
    expect(code).toBe(0);
    if (request.kind === 'chat' && request.isStreamed) {
      expect(stdout.trimEnd()).toEndWith('data: [DONE]');
    } else expect(JSON.parse(stdout)).not.toHaveProperty('error');
  });
});

test('shell settings use the variables that the libraries read', async () => {
  const target = { baseUrl: gateway.url, key: null };
  const settings = programFor('environment', target, simpleChat('gen-opus-4-8')).code;
  const question = `import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';
const messages = [{ role: 'user', content: 'Hello!' }];
await new OpenAI().chat.completions.create({ model: 'gen-v4-pro', messages });
await new Anthropic().messages.create({ model: 'gen-v4-pro', max_tokens: 9, messages });
`;
  writeFileSync(join(folder, 'from-environment.js'), question);
  const { code, stderr } = await run([
    'bash',
    '-c',
    `${settings}exec ${process.execPath} from-environment.js`,
  ]);
  expect([code, stderr]).toEqual([0, '']);
});

test('Codex gets the address, the name of the key variable and the model', async () => {
  const target = { baseUrl: gateway.url, key: gateway.key };
  const { code } = programFor('codex', target, simpleChat('gen-v4-pro'));
  const { stdout } = await run(['bash', '-c', `codex() { printf '%s\\n' "$@"; env; }\n${code}`]);
  expect(stdout).toStartWith('--model\ngen-v4-pro\n--config\nmodel_provider=modelgate\n');
  expect(stdout).toContain(`model_providers.modelgate.base_url=${gateway.url}/v1\n`);
  expect(stdout).toContain('model_providers.modelgate.env_key=MODELGATE_API_KEY\n');
  expect(stdout).toContain(`MODELGATE_API_KEY=${gateway.key}\n`);
});

test('Claude Code gets the address, the key and the model', async () => {
  const target = { baseUrl: gateway.url, key: null };
  const { code: settings } = programFor('claude-code', target, simpleChat('gen-v4-pro'));
  const { stdout } = await run(['bash', '-c', settings.replace(/^claude$/m, 'env')]);
  expect(stdout).toContain(`ANTHROPIC_BASE_URL=${gateway.url}\n`);
  expect(stdout).toContain(`ANTHROPIC_AUTH_TOKEN=${gateway.key}\n`);
  expect(stdout).toContain('ANTHROPIC_MODEL=gen-v4-pro\n');
});
