import { describe, expect, test } from 'bun:test';
import { type Schema as JsonSchema, Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import * as z from 'zod';
import { isObject } from '../body-fields.ts';
import { RequestError } from '../request-error.ts';
import { writeInstance } from './instance.ts';

type Schema = Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>;

/** Whether zod and another JSON Schema validator both accept the value. */
const fits = (schema: Schema, value: unknown): boolean =>
  z.fromJSONSchema(schema).safeParse(value).success && accepts(schema, value);

const accepts = (schema: object, value: unknown): boolean =>
  new Validator(schema as JsonSchema, '2020-12').validate(value).valid;

const names = fc.constantFrom('city', 'count', 'query', 'when', 'user_email', 'tags', 'flag', 'x');

const numbers = fc
  .tuple(
    fc.integer({ min: -50, max: 50 }),
    fc.integer({ min: 0, max: 40 }),
    fc.constantFrom(1, 2, 5),
  )
  .chain(([low, width, step]) =>
    fc.constantFrom<Schema>(
      { type: 'integer', minimum: low, maximum: low + width },
      { type: 'number', minimum: low, maximum: low + width + 0.5 },
      { type: 'integer', minimum: low, maximum: low + width + step, multipleOf: step },
      { type: 'number', exclusiveMinimum: low, exclusiveMaximum: low + width + 1 },
      { type: 'integer', exclusiveMinimum: low },
      { type: 'number', exclusiveMaximum: low },
    ),
  );

const strings = fc
  .tuple(fc.nat(20), fc.nat(20))
  .chain(([least, more]) =>
    fc.constantFrom<Schema>(
      { type: 'string', minLength: least, maxLength: least + more },
      { type: 'string', format: 'email' },
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date' },
      { type: 'string', format: 'uuid' },
      { type: 'string', format: 'uri' },
      { type: 'string', format: 'ipv4' },
      { type: 'string', format: 'ipv6' },
      { type: 'string', format: 'time' },
      { type: 'string', enum: ['red', 'green', 'blue'] },
      { type: 'string', const: 'fixed' },
    ),
  );

const schemas = fc.letrec<{ any: Schema }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      numbers,
      strings,
      fc.constant<Schema>({ type: 'boolean' }),
      fc.constant<Schema>({ type: 'null' }),
    ),
    fc.tuple(tie('any'), fc.nat(2), fc.nat(3)).map(
      ([items, least, more]): Schema => ({
        type: 'array',
        items,
        minItems: least,
        maxItems: least + more,
      }),
    ),
    fc.tuple(fc.dictionary(names, tie('any'), { maxKeys: 4 }), fc.boolean()).map(
      ([properties, isClosed]): Schema => ({
        type: 'object',
        properties,
        required: Object.keys(properties).slice(0, 3),
        ...(isClosed ? { additionalProperties: false } : {}),
      }),
    ),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((anyOf): Schema => ({ anyOf })),
  ),
}));

const requests = fc.constantFrom(
  '',
  'What is the weather in Paris on 2026-05-04?',
  'Send "hello there" to anna@example.com, count: 7, x is -12.5',
  '请查询北京的天气，数量 30',
);

describe('values for schemas', () => {
  test('the value satisfies any schema, for any request', () => {
    fc.assert(
      fc.property(
        schemas.any,
        requests,
        fc.constantFrom('all', 'mentioned'),
        (schema, text, optional) => {
          const value = writeInstance(schema, text, optional);
          expect(fits(schema, value)).toBe(true);
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });

  const node: Schema = {
    type: 'object',
    properties: {
      label: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/$defs/node' } },
    },
    required: ['label', 'children'],
    additionalProperties: false,
  };
  const cases: Record<string, Schema> = {
    references: { $defs: { node }, $ref: '#/$defs/node' },
    'a recursive list': {
      $defs: {
        list: {
          anyOf: [
            { type: 'object', properties: { next: { $ref: '#/$defs/list' } }, required: ['next'] },
            { type: 'null' },
          ],
        },
      },
      $ref: '#/$defs/list',
    },
    'all of several': {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer', minimum: 3 } }, required: ['a'] },
        { type: 'object', properties: { a: { type: 'integer', maximum: 4 } } },
      ],
    },
    'distinct items': {
      type: 'array',
      items: { type: 'string', enum: ['a', 'b', 'c'] },
      minItems: 3,
      uniqueItems: true,
    },
    'distinct free texts': {
      type: 'array',
      items: { type: 'string' },
      minItems: 5,
      uniqueItems: true,
    },
    tuples: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
      minItems: 2,
    },
    'types in a list': { type: ['null', 'integer'], minimum: 9 },
    'a union with a discriminator': {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, r: { type: 'number' } },
          required: ['kind', 'r'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    },
    'open maps': { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 },
  };
  test.each(Object.entries(cases))('%s', (_, schema) => {
    const value = writeInstance(schema, 'draw a square with side 5', 'all');
    expect(fits(schema, value)).toBe(true);
  });

  test.each<Schema>([
    { type: 'string', pattern: '^[a-z]{2,5}-\\d+$' },
    { type: 'integer', not: { const: 1 } },
    { if: { type: 'string' } },
    { type: 'array', contains: { type: 'integer' } },
    { $ref: 'https://example.com/schema.json' },
    { type: 'array', items: { enum: ['a', 'b'] }, minItems: 3, uniqueItems: true },
    { type: 'string', minLength: 50_000_000 },
    { type: 'integer', minimum: 2, maximum: 1 },
    { allOf: [{ type: 'string' }, { type: 'integer' }] },
  ])('rejects %j instead of writing a value that may not satisfy it', (schema) => {
    expect(() => writeInstance(schema, 'hello', 'all')).toThrow(RequestError);
  });

  test('takes values from the text', () => {
    const property = { type: 'string' };
    const schema = {
      type: 'object',
      properties: {
        city: property,
        unit: { enum: ['celsius', 'fahrenheit'] },
        days: { type: 'integer', minimum: 1, maximum: 14 },
        email: { type: 'string', format: 'email' },
        note: property,
      },
      required: ['city', 'unit', 'days', 'email', 'note'],
    };
    const text =
      'Weather in New York for 5 days in fahrenheit to bob@example.com, note: "bring boots"';
    expect(writeInstance(schema, text, 'mentioned')).toEqual({
      city: 'New York',
      unit: 'fahrenheit',
      days: 5,
      email: 'bob@example.com',
      note: 'bring boots',
    });
  });

  test('uses the numbers of the text in order, each once', () => {
    const number = { type: 'number' };
    const sum = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
    expect(writeInstance(sum, 'add 3 and 4.5', 'mentioned')).toEqual({ a: 3, b: 4.5 });
    expect(writeInstance({ type: 'array', items: number }, 'sum 1, 2 and 3', 'all')).toEqual([
      1, 2, 3,
    ]);
  });

  test('fills optional properties when the text mentions them, or all on request', () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, limit: { type: 'integer' } },
    };
    expect(writeInstance(schema, 'limit 3', 'mentioned')).toEqual({ limit: 3 });
    expect(Object.keys(asRecord(writeInstance(schema, 'hello', 'all')))).toEqual(['city', 'limit']);
  });

  test('rejects a schema that references itself without end', () => {
    const schema = { anyOf: [{ $ref: '#' }, { $ref: '#' }], allOf: [{ $ref: '#' }, { $ref: '#' }] };
    expect(() => writeInstance(schema, 'hello', 'all')).toThrow(RequestError);
    const endless = {
      type: 'object',
      properties: { a: { $ref: '#' }, b: { $ref: '#' } },
      required: ['a', 'b'],
    };
    expect(() => writeInstance(endless, 'hello', 'all')).toThrow(RequestError);
  });
});

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new Error('Expected an object.');
  return value;
}
