/**
 * Tests, for every schema of chat and Messages, that the compiled check accepts the same values as
 * the schema.
 */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import * as z from 'zod';
import * as chat from './chat/schema.ts';
import { fits } from './compiled-check.ts';
import * as messages from './messages/schema.ts';

type Named = readonly [string, z.ZodType];

const SCHEMAS = Object.entries<unknown>({ ...chat, ...messages }).flatMap(schemasIn);

function schemasIn([name, value]: [string, unknown]): readonly Named[] {
  if (value instanceof z.ZodType) return [[name, value]];
  // Functions without parameters build schemas on demand. Other functions do not return schemas, so
  // they are skipped.
  if (typeof value === 'function' && value.length === 0) return schemasIn([name, value()]);
  if (!(value instanceof Map)) return [];
  return [...value].flatMap(([key, each]) => schemasIn([`${name}.${key}`, each]));
}

/** All names of members in the schemas, and some values. */
const NAMES = [...new Set(SCHEMAS.flatMap(([, schema]) => namesIn(schema)))];
const WORDS = ['', 'a', 'auto', 'user', 'assistant', 'function', 'custom', 'text', 'low', '5m'];
const NUMBERS = [
  0,
  -0,
  1,
  2.5,
  -2,
  128,
  129,
  1024,
  20_000,
  2 ** 53 - 1,
  2 ** 53,
  Number.POSITIVE_INFINITY,
];

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, undefined, ...WORDS, ...NUMBERS),
    fc.string({ maxLength: 4 }),
    fc.double(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...NAMES, '__proto__', 'Model'), tie('value'), { maxKeys: 6 }),
  ),
})).value;

/** Replaces one value inside a valid value. The rest stays valid. */
function changed(value: unknown, steps: readonly number[], into: unknown): unknown {
  const [step = 0, ...others] = steps;
  if (Array.isArray(value) && value.length > 0) {
    const at = step % value.length;
    return value.map((each, index) => (index === at ? changed(each, others, into) : each));
  }
  if (typeof value !== 'object' || value === null) return into;
  const names = Object.keys(value);
  const name = names[step % (names.length + 1)] ?? NAMES[step % NAMES.length] ?? '';
  return { ...value, [name]: changed(Object(value)[name], others, into) };
}

const CHAT = {
  model: 'gen-v4-pro',
  messages: [{ role: 'user', content: 'hi' }],
  stream: false,
  stream_options: { include_usage: true },
  max_tokens: 16,
  temperature: 0.5,
  seed: 7,
  stop: ['a'],
  logit_bias: { 5: -1 },
  tools: [],
  tool_choice: { type: 'function', function: { name: 'f' } },
  response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } },
  metadata: { a: 'b' },
  provider: { channel: 'direct', allow_fallbacks: true },
};
const MESSAGES = {
  model: 'gen-opus-4-8',
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens: 16,
  system: 'be kind',
  thinking: { type: 'enabled', budget_tokens: 2048 },
  output_config: { effort: 'low', task_budget: { type: 'tokens', total: 20_000 } },
  cache_control: { type: 'ephemeral', ttl: '1h' },
  container: { id: 'c' },
};
const VALID = [
  CHAT,
  MESSAGES,
  { type: 'function', function: { name: 'f', parameters: {}, strict: true } },
  { type: 'custom', name: 'f', input_schema: {}, cache_control: { type: 'ephemeral' } },
  { type: 'image_url', image_url: { url: 'https://a/b.png' } },
  { type: 'tool_use', id: 'x', name: 'y', input: {} },
  { type: 'base64', media_type: 'image/png', data: '' },
  { role: 'assistant', tool_calls: [{ id: 'x', function: { name: 'f', arguments: '{}' } }] },
];

function agree(value: unknown): void {
  for (const [name, schema] of SCHEMAS) {
    const parsed = schema.safeParse(value);
    expect([name, fits(schema, value)]).toEqual([name, parsed.success]);
    // After a check, the code uses the original value, so parsing must not change a value.
    if (parsed.success && !hasProto(value)) expect(parsed.data).toEqual(value);
  }
}

/**
 * Whether a value contains a member named `__proto__`. The parser drops this member, so its result
 * may differ. No code reads it.
 */
const hasProto = (value: unknown): boolean => JSON.stringify(value)?.includes('__proto__') ?? false;

function namesIn(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return namesIn(schema.unwrap());
  if (schema instanceof z.ZodArray) return namesIn(schema.element);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(namesIn);
  if (!(schema instanceof z.ZodObject)) return [];
  return [...Object.keys(schema.shape), ...Object.values(schema.shape).flatMap(namesIn)];
}

test('both accept the examples', () => {
  expect(fits(chat.chatSchema(), CHAT)).toBe(true);
  expect(fits(messages.messagesSchema(), MESSAGES)).toBe(true);
  for (const value of VALID) agree(value);
  expect(SCHEMAS.length).toBeGreaterThan(20);
});

test('both agree on random values', () => {
  fc.assert(fc.property(json, agree), { numRuns: 300 });
});

test('both agree on valid values with a random change', () => {
  const steps = fc.array(fc.nat(1000), { maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom(...VALID), steps, json, (value, path, into) =>
      agree(changed(value, path, into)),
    ),
    { numRuns: 1500 },
  );
});

test.each([
  ['a length', z.string().max(2), 'abc'],
  ['a refinement', z.number().refine((value) => value > 3), 2],
  ['a strict object', z.strictObject({ a: z.string() }), { a: 'b', c: 1 }],
  ['an exclusive limit', z.number().gt(3), 3],
  ['a date', z.iso.date(), 'x'],
  ['a literal', z.object({ a: z.literal(3) }), { a: 4 }],
])('a check does not forget %s', (_, schema, value) => {
  expect(fits(schema, value)).toBe(schema.safeParse(value).success);
  expect(fits(schema, value)).toBe(false);
});
