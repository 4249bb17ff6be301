/** `upstream test`: one tiny call that says whether an upstream works, and if not, what to mend. */
import { z } from 'zod';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { quirksByName } from '../upstreams/known-servers.ts';
import type { Command } from './command.ts';

/** Two calls, each with the minute that a model may take to be loaded. */
const TEST_TIMEOUT_MS = 150_000;

const CHECK = z.looseObject({
  format: z.string(),
  ok: z.boolean(),
  status: z.number().nullable(),
  status_ms: z.number().nullable(),
  first_byte_ms: z.number().nullable(),
  usage: z
    .looseObject({
      input_tokens: z.number(),
      cache_read_tokens: z.number(),
      cache_write_tokens: z.number(),
      output_tokens: z.number(),
    })
    .nullable(),
  problem: z.string().nullable(),
  error: z.string().nullable(),
});
const FOUND = z.looseObject({
  upstream: z.string(),
  model: z.string(),
  ok: z.boolean(),
  checks: z.array(CHECK),
  quirks: z.record(z.string(), z.unknown()),
});
type Found = z.infer<typeof FOUND>;
type Check = z.infer<typeof CHECK>;

export const UPSTREAM_TEST_COMMAND: Command = {
  words: 'upstream test',
  summary:
    'ask an upstream for a few tokens (which it may charge), and say what is wrong if it fails',
  args: ['NAME'],
  options: [
    { name: 'model', value: 'MODEL', summary: "the model's name there; else that of a route" },
  ],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const model = input.text('model');
    const found = await client.call(
      {
        method: 'POST',
        path: `/upstreams/${encodeURIComponent(input.arg(0))}/test`,
        body: model === null ? {} : { model },
        timeoutMs: TEST_TIMEOUT_MS,
      },
      FOUND,
    );
    print(found, () => report(found));
    return found.ok ? 0 : 1;
  },
};

const report = ({ upstream, model, checks, quirks }: Found): string =>
  [
    `${upstream}, asked for ${model}`,
    ...checks.flatMap(checkLines),
    `  quirks: ${departures(quirks)}`,
  ].join('\n');

const PLAIN = quirksByName(NO_QUIRKS);

/** What sets it apart from a server that does as its protocol says. */
function departures(quirks: Found['quirks']): string {
  const own = Object.entries(quirks).filter(([name, value]) => !Bun.deepEquals(value, PLAIN[name]));
  return own.length === 0
    ? 'none'
    : own.map(([name, value]) => `${name} ${wordOf(value)}`).join(', ');
}

function checkLines(check: Check): readonly string[] {
  const times = [
    ...(check.status === null ? [] : [`status ${check.status} after ${check.status_ms} ms`]),
    ...(check.first_byte_ms === null ? [] : [`first byte after ${check.first_byte_ms} ms`]),
  ].join(', ');
  const head = `  ${check.format}: ${check.ok ? 'good' : 'FAILED'}${times === '' ? '' : `, ${times}`}`;
  return [
    head,
    ...(check.problem === null ? [] : [`    ${check.problem}`]),
    ...(check.error === null || check.error === '' ? [] : [`    it said: ${check.error.trim()}`]),
    ...(check.ok ? [`    ${usageLine(check)}`] : []),
  ];
}

const usageLine = ({ usage }: Check): string =>
  usage === null
    ? 'usage: it counted nothing, so that what it does is charged by estimate'
    : `usage: ${usage.input_tokens} in, ${usage.cache_read_tokens} read from cache, ${usage.cache_write_tokens} written to it, ${usage.output_tokens} out`;

function wordOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(' ');
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
