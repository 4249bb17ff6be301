/** Tests the real Codex program with upstreams of each protocol and with the built-in models. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodexRun, type CodexTask, runCodex } from '../support/clients/codex.ts';
import {
  CLIENT_FILES,
  INSTALL_LIMIT_MS,
  nodeClients,
} from '../support/clients/installed-clients.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { CHAT_MODELS } from '../support/gateways/translated-gateways.ts';
import {
  modelOver,
  startTurnsGateway,
  TURN_PRICES,
  type TurnsGateway,
} from '../support/gateways/turns-gateway.ts';
import { newAccountKey, settledWallet } from '../support/history/ledger-views.ts';
import { failing, inTurn, REASON } from '../support/judge/judge-scripted.ts';
import { PIXEL_PNG } from '../support/samples.ts';
import { receivedRequest } from '../support/upstreams/received-request.ts';
import {
  answerTurn,
  type Turn,
  turnEvents,
  UPSTREAM_DIALECTS,
  type UpstreamDialect,
} from '../support/upstreams/scripted-turns.ts';
import { eventStream } from '../support/upstreams/scripted-upstream.ts';
import { at } from '../support/wire.ts';

const usage = { input: 9_000, cached: 4_000, output: 300, reasoning: 120 };
const turn = (...parts: Turn['parts']): Turn => ({ parts, usage });
const run = (id: string, cmd: string) => ({ call: 'exec_command', id, input: { cmd } });

const PATCH = `*** Begin Patch
*** Update File: greeting.txt
@@
-Hello
+Hello, world
*** Add File: notes/new.txt
+one
+two
*** End Patch`;
const THOUGHTS = [
  { thinking: 'I should look first.', seal: 'Zmlyc3Qtc2VhbA==' },
  { thinking: 'Now I edit the file.', seal: 'c2Vjb25kLXNlYWw=' },
] as const;
/**
 * A task in five turns. It runs two commands at once, edits a file with the free-form tool, and
 * runs a command that reads the edited file.
 */
const TASK: readonly Turn[] = [
  turn(THOUGHTS[0], { text: 'I look.' }, run('call_1', 'cat greeting.txt'), run('call_2', 'ls')),
  turn(THOUGHTS[1], { call: 'apply_patch', id: 'call_3', input: PATCH }),
  turn(run('call_4', 'cat greeting.txt notes/new.txt > all.txt && wc -l < all.txt')),
  turn({ text: 'The greeting is complete.' }),
];
const DONE = turn({ text: 'Done.' });

let turns: TurnsGateway;
let builtin: GatewayProcess;
beforeAll(async () => void (await nodeClients()), INSTALL_LIMIT_MS);
beforeAll(async () => {
  [turns, builtin] = await Promise.all([startTurnsGateway(), startGateway()]);
});
afterEach(async () => {
  await settledWallet(turns.gateway);
});
afterAll(async () => {
  await turns[Symbol.asyncDispose]();
  await builtin[Symbol.asyncDispose]();
});

type Asked = Pick<CodexTask, 'prompt'> & Partial<CodexTask>;
const codex = (asked: Asked, earlier?: CodexRun): Promise<CodexRun> => {
  const { url, key } = turns.gateway;
  return runCodex({ url, key, model: modelOver('chat'), ...asked }, earlier);
};
const fileIn = ({ folder }: CodexRun, name: string): string =>
  readFileSync(join(folder, name), 'utf8');
/** The number of requests to the upstream that earlier calls of `requests` have returned. */
let seen = 0;
const requests = () => {
  const found = turns.upstream.calls.slice(seen).map(receivedRequest);
  seen = turns.upstream.calls.length;
  return found;
};
/** Returns the amount that the upstream bills for these turns, in nano-USD. */
const billOf = (billed: readonly Turn[]): bigint =>
  billed.reduce((sum, { usage: { input, cached, output } }) => {
    const fresh = BigInt(input - cached) * TURN_PRICES.input;
    const read = BigInt(cached) * TURN_PRICES.cached;
    return sum + (fresh + read + BigInt(output) * TURN_PRICES.output) / 1_000n;
  }, 0n);

describe.each(UPSTREAM_DIALECTS)('upstream %s', (dialect: UpstreamDialect) => {
  const model = modelOver(dialect);

  test('edits files, runs commands, and pays what the upstream counts', async () => {
    requests();
    const before = await settledWallet(turns.gateway);
    turns.upstream.script(inTurn(...TASK));
    using done = await codex({
      model: modelOver(dialect, 'gpt-5.5'),
      prompt: 'Complete the greeting.',
      files: { 'greeting.txt': 'Hello\n' },
    });
    expect([done.code, done.message, done.errors]).toEqual([0, 'The greeting is complete.', []]);
    const shown = done.items.filter((item) => at(item, 'type') === 'reasoning');
    expect(shown.map((item) => at(item, 'text'))).toEqual(THOUGHTS.map(({ thinking }) => thinking));
    expect(fileIn(done, 'greeting.txt')).toBe('Hello, world\n');
    expect(fileIn(done, 'all.txt')).toBe('Hello, world\none\ntwo\n');

    const sent = requests();
    expect(sent.map(({ dialect: spoken }) => spoken)).toEqual(TASK.map(() => dialect));
    const last = sent.at(-1);
    expect(last?.outputs.map(({ id }) => id)).toEqual(['call_1', 'call_2', 'call_3', 'call_4']);
    expect(last?.outputs[0]?.text).toContain('Hello');
    expect(last?.outputs[2]?.text).toContain('Success');
    const wanted = THOUGHTS.map(({ thinking, seal }) => (dialect === 'chat' ? thinking : seal));
    expect(last?.thinking.filter((thought) => thought !== '')).toEqual(wanted);
    for (const { tools } of sent) expect(tools).toEqual(sent[0]?.tools ?? []);
    // Codex always offers OpenAI's search tool. The gateway does not sell it, so the upstream must
    // not receive it.
    expect(JSON.stringify(turns.upstream.calls.at(-1)?.body)).not.toContain('"web_search"');

    const after = await settledWallet(turns.gateway);
    expect(before.balance - after.balance).toBe(billOf(TASK));
    expect(done.usage).toMatchObject({
      input_tokens: 4 * usage.input,
      cached_input_tokens: 4 * usage.cached,
      output_tokens: 4 * usage.output,
    });
  });

  test('calls a tool of an MCP server by its namespace', async () => {
    requests();
    const add = { call: 'add', namespace: 'mcp__demo', id: 'call_add', input: { a: 19, b: 23 } };
    turns.upstream.script(inTurn(turn(add), DONE));
    const server = JSON.stringify([join(CLIENT_FILES, 'mcp-server.mjs')]);
    const tables = `[mcp_servers.demo]\ncommand = "node"\nargs = ${server}\n`;
    using done = await codex({ model, prompt: 'Add 19 and 23.', tables });
    expect([done.code, done.message]).toEqual([0, 'Done.']);
    const sent = requests();
    expect(sent[0]?.tools).toContain('mcp__demo__add');
    expect(sent[1]?.outputs[0]?.text).toContain('The sum is 42.');
  });

  test('runs code by a free-form tool of a namespace, given as an item', async () => {
    requests();
    const input = 'text(await tools.exec_command({ cmd: "cat greeting.txt" }));';
    const exec = { call: 'exec', namespace: 'functions', id: 'call_exec', input };
    turns.upstream.script(inTurn(turn(exec), DONE));
    using done = await codex({
      model: modelOver(dialect, 'gpt-6.1-sol'),
      prompt: 'Read the greeting.',
      files: { 'greeting.txt': 'Hello\n' },
    });
    expect([done.code, done.message]).toEqual([0, 'Done.']);
    const sent = requests();
    expect(sent[0]?.tools).toContain('functions__exec');
    expect(sent[1]?.outputs[0]?.text).toContain('Hello');
  });

  test('shows the model an image that a tool read', async () => {
    requests();
    const view = { call: 'view_image', id: 'call_view', input: { path: 'pixel.png' } };
    turns.upstream.script(inTurn(turn(view), DONE));
    const files = { 'pixel.png': Buffer.from(PIXEL_PNG, 'base64') };
    using done = await codex({ model, prompt: 'Look at the picture.', files });
    expect([done.code, done.message]).toEqual([0, 'Done.']);
    expect(requests().map(({ images }) => images)).toEqual([0, 1]);
  });

  test('replaces a long history by its summary', async () => {
    requests();
    const after = { ...DONE, usage: { ...usage, input: 100, cached: 0 } };
    turns.upstream.script(inTurn(turn(run('call_1', 'ls')), turn({ text: 'All is done.' }), after));
    const args = ['--config', `model_auto_compact_token_limit=${usage.input - 1}`];
    using done = await codex({ model, prompt: 'Go on.', args });
    expect([done.code, done.message]).toEqual([0, 'Done.']);
    expect(requests().map(({ outputs }) => outputs.length)).toEqual([0, 1, 0]);
    expect(JSON.stringify(turns.upstream.calls.at(-1)?.body)).toContain('All is done.');
  });

  test('sends an image and the schema of the answer', async () => {
    requests();
    turns.upstream.script(inTurn(turn({ text: '{"color":"none"}' })));
    const schema = {
      type: 'object',
      properties: { color: { type: 'string' } },
      required: ['color'],
      additionalProperties: false,
    };
    using done = await codex({
      model,
      prompt: 'Which color?',
      files: {
        'pixel.png': Buffer.from(PIXEL_PNG, 'base64'),
        'schema.json': JSON.stringify(schema),
      },
      args: ['--image', 'pixel.png', '--output-schema', 'schema.json'],
    });
    expect([done.code, done.message]).toEqual([0, '{"color":"none"}']);
    const name = dialect === 'messages' ? 'schema' : 'codex_output_schema';
    expect(requests().map((sent) => [sent.images, sent.schema])).toEqual([[1, name]]);
  });

  test('shows the reason of a 400 and a 503, without asking again', async () => {
    for (const [status, reason] of [
      [400, REASON],
      [503, 'The provider'],
    ] as const) {
      requests();
      turns.upstream.script(failing(status));
      using done = await codex({ model, prompt: 'Hello' });
      expect([done.code, done.errors]).toEqual([1, [expect.stringContaining(reason)]]);
      expect(requests()).toHaveLength(1);
    }
  });

  test('asks once for an answer that was filtered', async () => {
    requests();
    turns.upstream.script((call) => answerTurn(call, { ...DONE, isFiltered: true }));
    const args = ['--config', 'model_providers.modelgate.stream_max_retries=2'];
    using done = await codex({ model, prompt: 'Hello', args });
    expect([done.code, done.errors.length]).toEqual([1, 1]);
    expect(requests()).toHaveLength(1);
  });

  test('fails when the stream was cut, with the reason', async () => {
    const events = turnEvents(dialect, turn({ text: 'It is fine in Paris.' }));
    const middle = events.findIndex((event) => event.includes('It is fine'));
    turns.upstream.script(() => eventStream(events.slice(0, middle + 1)));
    using done = await codex({ model, prompt: 'Hello' });
    expect([done.code, done.errors]).toEqual([1, [expect.stringContaining('provider')]]);
  });
});

test('a session moves between models, and each upstream gets back only its own thinking', async () => {
  requests();
  const visited = ['messages', 'responses', 'chat', 'messages'] as const;
  let last: CodexRun | undefined;
  for (const [index, dialect] of visited.entries()) {
    const thought = { thinking: `Thought ${index}.`, seal: `c2VhbC${index}` };
    turns.upstream.script(inTurn(turn(thought, run(`call_${index}`, 'ls')), DONE));
    last = await codex({ model: modelOver(dialect), prompt: 'Go on.' }, last);
    expect([last.code, last.message, last.errors]).toEqual([0, 'Done.', []]);
  }
  last?.[Symbol.dispose]();
  const second = requests().filter((_, index) => index % 2 === 1);
  expect(second.map(({ outputs }) => outputs.length)).toEqual([1, 2, 3, 4]);
  expect(second.map(({ thinking }) => thinking)).toEqual([
    ['c2VhbC0'],
    ['c2VhbC1'],
    // A chat upstream gets thinking back as plain text. It gets the thinking of the Messages
    // upstream (`Thought 0.`) without its signature, and its own thinking (`Thought 2.`).
    ['Thought 0.', 'Thought 2.'],
    ['c2VhbC0', 'c2VhbC3'],
  ]);
});

test('shows the reason of an empty wallet, and the status of a key at its limit', async () => {
  turns.upstream.script((call) => answerTurn(call, DONE));
  const poor = await newAccountKey(turns.gateway, null);
  using refused = await codex({ key: poor, prompt: 'Hello' });
  expect([refused.code, refused.errors]).toEqual([1, [expect.stringContaining('USD wallet')]]);
  const credit = { amount: '10', currency: 'USD' };
  const limits = { limits: { requests_per_minute: 1 } };
  const limited = await newAccountKey(turns.gateway, credit, limits);
  using first = await codex({ key: limited, prompt: 'Hello' });
  expect([first.code, first.message]).toEqual([0, 'Done.']);
  using second = await codex({ key: limited, prompt: 'Hello' });
  expect([second.code, second.errors]).toEqual([1, [expect.stringContaining('429 Too Many')]]);
});

test('reads the models of the gateway, and offers them the tool for edits', async () => {
  requests();
  turns.upstream.script(inTurn(...TASK));
  const asked = {
    model: modelOver('messages'),
    prompt: 'Complete the greeting.',
    files: { 'greeting.txt': 'Hello\n' },
  };
  const tables = `model_catalog_url = "${turns.gateway.url}/v1/models"\n`;
  using known = await codex({ ...asked, tables });
  expect([known.code, known.message]).toEqual([0, 'The greeting is complete.']);
  expect(known.output).not.toContain('Model metadata');
  expect(fileIn(known, 'greeting.txt')).toBe('Hello, world\n');
  expect(requests()[0]?.tools).toContain('apply_patch');

  turns.upstream.script(inTurn(DONE));
  using unknown = await codex(asked);
  expect(unknown.output).toContain('Model metadata for `over-messages` not found');
  expect(requests()[0]?.tools).not.toContain('apply_patch');
});

test.each(CHAT_MODELS)('%s answers', async (model) => {
  const { url, key } = builtin;
  using done = await runCodex({ url, key, model, prompt: 'Hello there' });
  expect([done.code, done.errors]).toEqual([0, []]);
  expect(done.message).toContain('Hello there');
  expect(Number(at(done.usage, 'output_tokens'))).toBeGreaterThan(0);
});
