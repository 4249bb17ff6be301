import { describe, expect, test } from 'bun:test';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { acceptedSchema, closeSchema, toolInputSchema } from './json-schema.ts';

const properties = { tz: { type: 'string' } };

test.each([
  [null, { type: 'object', properties: {} }],
  [{}, { type: 'object', properties: {} }],
  [{ type: 'object' }, { type: 'object', properties: {} }],
  [
    { type: null, properties: null },
    { type: 'object', properties: {} },
  ],
  [
    { properties, required: ['tz'] },
    { type: 'object', properties, required: ['tz'] },
  ],
  [
    { type: ['object', 'null'], properties },
    { type: 'object', properties },
  ],
  [
    { anyOf: [{ properties }], $defs: {} },
    { type: 'object', properties: {}, anyOf: [{ properties }], $defs: {} },
  ],
])("makes a tool's input an object with properties: %j", (schema, expected) => {
  expect(toolInputSchema(schema)).toEqual(expected);
});

test.each([{ type: 'object', properties, additionalProperties: false }, { type: 'string' }])(
  'keeps an explicit schema: %j',
  (schema) => {
    expect(toolInputSchema(schema)).toBe(schema);
  },
);

const open = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const closed = (name: string) => ({ ...open(name), additionalProperties: false });

describe('a closed schema', () => {
  test('closes objects at any depth', () => {
    expect(
      closeSchema({
        type: 'object',
        properties: {
          list: { type: 'array', items: open('a') },
          one: { anyOf: [open('b'), { type: 'null' }] },
        },
        $defs: { c: open('c') },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: closed('a') },
        one: { anyOf: [closed('b'), { type: 'null' }] },
      },
      $defs: { c: closed('c') },
      additionalProperties: false,
    });
  });

  test('keeps explicit additionalProperties', () => {
    for (const additionalProperties of [true, { type: 'string' }, false]) {
      const schema = { ...open('a'), additionalProperties };
      expect(closeSchema(schema)).toEqual(schema);
    }
    expect(closeSchema({ type: 'object' })).toEqual({ type: 'object' });
  });

  test('keeps objects open that other members extend', () => {
    for (const schema of [
      { allOf: [open('a'), open('b')] },
      { ...open('a'), anyOf: [open('b'), open('c')] },
      { ...open('a'), $ref: '#/$defs/b' },
      { not: open('a') },
    ]) {
      expect(closeSchema(schema)).toEqual(schema);
    }
  });

  test("does not take a property's name for a keyword", () => {
    const schema = { type: 'object', properties: { items: open('a'), properties: open('b') } };
    expect(closeSchema(schema)).toEqual({
      type: 'object',
      properties: { items: closed('a'), properties: closed('b') },
      additionalProperties: false,
    });
  });
});

describe('a schema for a Messages upstream', () => {
  const accepted = (schema: object) => acceptedSchema({ ...schema }, JSON.stringify);

  test('states refused constraints in the description', () => {
    expect(accepted({ type: 'integer', description: 'Stars', minimum: 1, maximum: 5 })).toEqual({
      type: 'integer',
      description: 'Stars\nminimum: 1, maximum: 5',
    });
    const list = { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 2 };
    expect(accepted({ anyOf: [list, { type: 'null' }] })).toEqual({
      anyOf: [
        {
          type: 'array',
          items: { type: 'string', description: 'minLength: 2' },
          description: 'minItems: 2',
        },
        { type: 'null' },
      ],
    });
  });

  test('keeps what upstreams accept, and properties and values with the names of constraints', () => {
    const schema = {
      type: 'object',
      properties: {
        format: { type: 'string', format: 'date-time' },
        pattern: { type: 'array', items: { enum: ['maximum'] }, minItems: 1 },
        not: { type: 'object', default: { minimum: 1 } },
      },
      additionalProperties: false,
    };
    expect(accepted(schema)).toEqual(schema);
  });

  test('has anyOf instead of oneOf', () => {
    const either = [{ type: 'string' }, { type: 'null' }];
    expect(accepted({ oneOf: either })).toEqual({ anyOf: either });
  });

  test("has no refused keyword of OpenAI's helpers", () => {
    const shape = {
      ...{ count: z.int(), mail: z.email(), stars: z.number().min(1).max(5) },
      ...{ names: z.array(z.string().min(2)).max(3), url: z.url().nullable() },
    };
    const { schema } = zodResponseFormat(z.object(shape), 'review').json_schema;
    const { properties } = JSON.parse(JSON.stringify(accepted(schema ?? {})));
    const keywords = JSON.stringify(properties).match(/"(?:m(?:in|ax)[A-Za-z]*|pattern)":/g);
    expect(keywords).toBeNull();
    expect(properties).toMatchObject({
      mail: { type: 'string', format: 'email', description: expect.stringContaining('pattern: ') },
      stars: { type: 'number', description: 'minimum: 1, maximum: 5' },
      names: { type: 'array', items: { type: 'string' }, description: 'maxItems: 3' },
    });
  });
});
