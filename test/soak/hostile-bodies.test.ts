/**
 * Tests random bodies that are expensive to parse, check and translate. No body may block the event
 * loop or fill the memory. The limits apply to the CPU time of the gateway's main thread, because
 * other processes do not affect it. Logs the latency of `/healthz` and the most expensive bodies.
 */
import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { startGateway } from '../support/gateways/gateway-process.ts';
import { forgetPeak, peakMib } from '../support/gateways/process-memory.ts';
import { breaches } from '../support/history/ledger-views.ts';
import { between, oneOf, printedSeed, type Random, seededRandom } from '../support/random.ts';
import { startHostileUpstream } from '../support/upstreams/hostile-upstream.ts';
import { ask, CHAT, hello, IMAGES, MESSAGES } from '../support/wire.ts';

const BODIES = 400;
const MIB = 1024 * 1024;
const LARGEST = 31 * MIB;
/**
 * The maximum CPU time for one body. The gateway handles a body in about ten steps of the event
 * loop, each at most 50 ms. A step with quadratic complexity would take seconds.
 */
const MAX_CPU_MS = 1_500;
/**
 * The maximum CPU time of one step of the event loop: twice the allowed 50 ms, because the machine
 * may be busy and some code is not compiled yet.
 */
const MAX_STEP_MS = 100;
const MAX_MIB = 600;
const SHOWN = 8;

type Shape = { readonly name: string; readonly make: (random: Random, bytes: number) => string };

/** Returns items separated by commas. Stops after this number of bytes, or after `most` items. */
function items(of: (at: number) => string, bytes: number, most = Number.POSITIVE_INFINITY): string {
  const all: string[] = [];
  for (let size = 0; size < bytes && all.length < most; ) {
    const item = of(all.length);
    all.push(item);
    size += item.length + 1;
  }
  return all.join(',');
}

const ATOMS: readonly ((at: number) => string)[] = [
  () => '1',
  () => '[]',
  () => '{}',
  () => 'null',
  () => '1e-400',
  (at) => `12345678901234567.${at}`,
  (at) => `"${at}"`,
  (at) => `{"k${at}":${at}}`,
  (at) => `"${'x'.repeat(at % 300)}"`,
  () => '"\\u0001"',
  () => `${'['.repeat(40)}${']'.repeat(40)}`,
];
const TEXTS = [
  'word ',
  '你好',
  '\\n',
  '\\u0041',
  '\\\\',
  '\\"',
  '\\u00010',
  '1234567890',
  ' ',
  '0',
];
const long = (random: Random, bytes: number): string => {
  const unit = oneOf(random, TEXTS);
  return unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));
};
const PARTS: readonly ((at: number, random: Random) => string)[] = [
  (at) => `{"type":"text","text":"${at}"}`,
  (at, random) => `{"type":"text","text":"${long(random, at % 2_000)}"}`,
  (at) => `{"type":"image_url","image_url":{"url":"https://a.example/${at}"}}`,
  () => `{"type":"image_url","image_url":{"url":"data:image/png;base64,${'A'.repeat(400)}"}}`,
  () => '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"/9j/AAAA"}}',
  (at) => `{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"${at}"}]}`,
  (at) => `{"type":"tool_use","id":"t${at}","name":"f","input":{"a${at}":[1,2,3]}}`,
  () => '{"type":"thinking","thinking":"a","signature":"b"}',
  (at) => `{"type":"odd${at}"}`,
];
const call = (id: string, text: string): string =>
  `{"id":"${id}","type":"function","function":{"name":"f","arguments":${JSON.stringify(text)}}}`;
const FIELDS = [
  ...['x', 'tools', 'functions', 'stop', 'stop_sequences', 'logit_bias', 'metadata', 'provider'],
  ...[
    'response_format',
    'tool_choice',
    'thinking',
    'output_config',
    'context_management',
    'system',
  ],
  ...['modalities', 'mcp_servers', 'stream_options', 'reasoning', 'user', 'temperature'],
];

/**
 * Kinds of large JSON members, with random content, that are appended to the smallest valid
 * request.
 */
const SHAPES: readonly Shape[] = [
  {
    name: 'a list',
    make: (random, bytes) => {
      const atom = oneOf(random, ATOMS);
      return `"${oneOf(random, FIELDS)}":[${items(atom, bytes)}]`;
    },
  },
  {
    name: 'a list within the limit',
    make: (random, bytes) => {
      const atom = oneOf(random, ATOMS);
      return `"${oneOf(random, FIELDS)}":[${items(atom, bytes, between(random, 1, 59_000))}]`;
    },
  },
  {
    name: 'a map',
    make: (random, bytes) =>
      `"${oneOf(random, FIELDS)}":{${items((at) => `"k${at}":"v${at}"`, bytes, 59_000)}}`,
  },
  {
    name: 'a schema',
    make: (_random, bytes) => {
      const names = items((at) => `"k${at}"`, bytes, 28_000);
      const properties = items((at) => `"k${at}":{}`, bytes, 28_000);
      const schema = `{"type":"object","properties":{${properties}},"required":[${names}]}`;
      return `"output_config":{"format":{"type":"json_schema","schema":${schema}}}`;
    },
  },
  { name: 'fields', make: (_random, bytes) => items((at) => `"f${at}":1`, bytes) },
  { name: 'whitespace', make: (_random, bytes) => `${' '.repeat(bytes)}"x":1` },
  { name: 'a long key', make: (_random, bytes) => `"${'k'.repeat(bytes)}":1` },
  { name: 'brackets that are not closed', make: (_random, bytes) => `"x":${'['.repeat(bytes)}` },
  { name: 'strings without commas', make: (_random, bytes) => `"x":${'"a"'.repeat(bytes / 3)}` },
];
/** Kinds of long lists of random messages that replace those of the smallest valid request. */
const CONVERSATIONS: readonly Shape[] = [
  {
    name: 'messages',
    make: (random, bytes) => {
      const roles = oneOf(random, [['user'], ['user', 'assistant'], ['system', 'user']]);
      const text = oneOf(random, ['', long(random, 250), long(random, 1_000)]);
      return items((at) => said(roles[at % roles.length], `"${at}${text}"`), bytes, 10_000);
    },
  },
  {
    name: 'parts',
    make: (random, bytes) => {
      const part = oneOf(random, PARTS);
      return said('user', `[${items((at) => part(at, random), bytes, 19_000)}]`);
    },
  },
  { name: 'a long text', make: (random, bytes) => said('user', `"${long(random, bytes)}"`) },
  {
    name: 'calls',
    make: (random, bytes) => {
      const args = `{"a":[${items(oneOf(random, ATOMS), between(random, 0, 9_000))}]}`;
      const isSame = random() < 0.5;
      const turn = (at: number): string => {
        const id = isSame ? 'c' : `c${at}`;
        const asked = `{"role":"assistant","content":null,"tool_calls":[${call(id, args)}]}`;
        return `${asked},{"role":"tool","tool_call_id":"${id}","content":"1"}`;
      };
      return `${said('user', '"x"')},${items(turn, bytes, 6_000)}`;
    },
  },
];

const said = (role: string | undefined, content: string): string =>
  `{"role":"${role}","content":${content}}`;

type Sample = { readonly what: string; readonly path: string; readonly body: string };

function sample(random: Random): Sample {
  const path = oneOf(random, [CHAT, CHAT, MESSAGES, MESSAGES, `${MESSAGES}/count_tokens`, IMAGES]);
  const model = path === IMAGES ? 'img-2' : oneOf(random, ['scripted-chat', 'scripted-messages']);
  const base = path === CHAT ? hello.chat : path === IMAGES ? hello.image : hello.messages;
  const bytes = Math.floor(LARGEST ** (0.55 + 0.45 * random()));
  const isTalk = path !== IMAGES && random() < 0.6;
  const shape = oneOf(random, isTalk ? CONVERSATIONS : SHAPES);
  const made = shape.make(random, Math.min(bytes, LARGEST));
  const { messages: _messages, ...rest } = { messages: [], ...base, model };
  const head = JSON.stringify(isTalk ? rest : { ...base, model }).slice(0, -1);
  const body = isTalk ? `${head},"messages":[${made}]}` : `${head},${made}}`;
  return { what: `${shape.name} for ${model} at ${path}`, path, body: body.slice(0, 32 * MIB) };
}

/** Returns the CPU time that the main thread of a process has used so far, in milliseconds. */
const cpuMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Returns the CPU time of the longest step of the event loop since the last call, in milliseconds.
 */
function longestStep(file: string): number {
  const steps = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  writeFileSync(file, '');
  return Math.max(0, ...steps);
}

test('no random body holds the event loop or fills the memory', async () => {
  const random = seededRandom(printedSeed('hostile bodies'));
  const upstream = await startHostileUpstream();
  upstream.script(({ reset }) => reset());
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-steps-'));
  const steps = join(folder, 'steps');
  writeFileSync(steps, '');
  const env = {
    BUN_OPTIONS: `--preload ${join(import.meta.dir, '../support/gateways/step-probe.ts')}`,
    STEP_PROBE_FILE: steps,
  };
  const prober = new Worker(new URL('../support/health-prober.ts', import.meta.url));
  const report = (): Promise<readonly number[]> =>
    new Promise((resolve) => {
      prober.once('message', resolve);
      prober.postMessage('report');
    });
  try {
    await using gateway = await startGateway({
      config: upstream.config(),
      credit: '100000 USD',
      env,
    });
    prober.postMessage(gateway.url);
    const costs: {
      readonly ms: number;
      readonly stepMs: number;
      readonly slowestMs: number;
      readonly what: string;
    }[] = [];
    const all: number[] = [];
    forgetPeak(gateway.pid);
    // Discards the steps of the gateway's start, which are not measured.
    longestStep(steps);
    for (let turn = 0; turn < BODIES; turn++) {
      const { what, path, body } = sample(random);
      await report();
      const before = cpuMs(gateway.pid);
      const { status, text } = await ask(gateway, path, body);
      const ms = cpuMs(gateway.pid) - before;
      const latencies = await report();
      all.push(...latencies);
      costs.push({
        ms,
        stepMs: longestStep(steps),
        slowestMs: Math.max(0, ...latencies),
        what: `${what}, ${body.length} B`,
      });
      if (status === 500) throw new Error(`${what}: ${text.slice(0, 200)}`);
    }
    all.sort((one, other) => one - other);
    costs.sort((one, other) => other.ms - one.ms);
    const ms = (value: number): string => `${value.toFixed(0)} ms`;
    console.log(
      `/healthz p50 ${ms(percentile(all, 0.5))}, p99 ${ms(percentile(all, 0.99))}, slowest ${ms(percentile(all, 1))}; peak ${peakMib(gateway.pid).toFixed(0)} MiB`,
    );
    const show = ({ ms: cpu, stepMs, slowestMs, what }: (typeof costs)[number]): void =>
      console.log(
        `${ms(cpu)} of processor time, longest step ${ms(stepMs)}, /healthz ${ms(slowestMs)}: ${what}`,
      );
    costs.slice(0, SHOWN).forEach(show);
    const bySteps = costs.toSorted((one, other) => other.stepMs - one.stepMs);
    bySteps.slice(0, SHOWN).forEach(show);
    expect(costs[0]?.ms).toBeLessThan(MAX_CPU_MS);
    expect(bySteps[0]?.stepMs).toBeLessThan(MAX_STEP_MS);
    expect(peakMib(gateway.pid)).toBeLessThan(MAX_MIB);
    expect(await breaches(gateway)).toEqual([]);
    // The prober must end before the gateway. Otherwise it would report the gateway's end as an
    // error.
    await prober.terminate();
  } finally {
    await prober.terminate();
    upstream.stop();
    rmSync(folder, { recursive: true });
  }
});
