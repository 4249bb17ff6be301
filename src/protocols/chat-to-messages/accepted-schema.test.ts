import { describe, expect, test } from 'bun:test';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { type AcceptedSchema, acceptedSchema } from './accepted-schema.ts';

const result = (schema: object): AcceptedSchema => acceptedSchema({ ...schema }, JSON.stringify);

function accepted(schema: object): object {
  const read = result(schema);
  if ('problem' in read) throw new Error(read.problem);
  return read.schema;
}

function problem(schema: object): string {
  const read = result(schema);
  if ('schema' in read) throw new Error('the schema was accepted');
  return read.problem;
}

const open = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const closed = (name: string) => ({ ...open(name), additionalProperties: false });
const text = { type: 'string' };
const count = { type: 'integer' };

describe('a schema for a Messages upstream', () => {
  test('closes objects at any depth, also those that say that they are open', () => {
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { ...open('a'), additionalProperties: true } },
        one: { anyOf: [open('b'), { type: 'null' }] },
        ref: { $ref: '#/$defs/c', description: 'C' },
      },
      $defs: { c: { ...open('c'), additionalProperties: text } },
    };
    expect(accepted(schema)).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: closed('a') },
        one: { anyOf: [closed('b'), { type: 'null' }] },
        ref: { $ref: '#/$defs/c' },
      },
      $defs: { c: closed('c') },
      additionalProperties: false,
    });
    expect(accepted({ type: 'object', properties: {} })).toEqual({
      ...{ type: 'object', properties: {}, additionalProperties: false },
    });
  });

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
        items: { type: 'string', default: { minimum: 1 } },
        properties: closed('b'),
        $ref: { type: 'string' },
      },
      additionalProperties: false,
    };
    expect(accepted(schema)).toEqual(schema);
  });

  test('has anyOf instead of oneOf, and one schema instead of allOf with one', () => {
    const either = [text, { type: 'null' }];
    expect(accepted({ oneOf: either })).toEqual({ anyOf: either });
    expect(accepted({ title: 'A', allOf: [{ $ref: '#/$defs/a' }], $defs: { a: text } })).toEqual({
      $defs: { a: text },
      $ref: '#/$defs/a',
    });
  });

  test('lets each item of a tuple be any of its items', () => {
    const items = { anyOf: [text, count] };
    const tuple = { type: 'array', prefixItems: [text, count], items: false, maxItems: 2 };
    expect(accepted(tuple)).toEqual({
      ...{ type: 'array', items },
      description: 'one item of each schema, in this order, maxItems: 2',
    });
    expect(accepted({ type: 'array', items: [text, count] })).toMatchObject({ items });
    expect(accepted({ prefixItems: [text], items: count })).toMatchObject({ type: 'array', items });
  });

  test('is not much longer than the given one', () => {
    let tuple: object = text;
    for (let depth = 0; depth < 200; depth += 1) tuple = { type: 'array', prefixItems: [tuple] };
    const [given, sent] = [tuple, accepted(tuple)].map((each) => JSON.stringify(each).length);
    expect(sent).toBeLessThan(5 * (given ?? 0));
  });

  test('states a list of values that are not plain in the description', () => {
    expect(accepted({ type: 'array', enum: [['a']] })).toEqual({
      ...{ type: 'array', description: 'enum: [["a"]]' },
    });
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

describe('a schema that upstreams cannot enforce is one', () => {
  const inner = (schema: object) => ({ type: 'object', properties: { a: schema } });

  test.each([
    { type: 'object' },
    { type: 'object', additionalProperties: count },
    { type: 'object', properties: {}, additionalProperties: true },
    { type: 'object', additionalProperties: false, patternProperties: { '^a': text } },
  ])('with properties of any name: %j', (schema) => {
    expect(problem(schema)).toStartWith('an object with properties of any name cannot be enforced');
    expect(problem(inner(schema))).toStartWith('properties.a: an object with properties of any');
  });

  test.each([
    ['#', inner({ type: 'array', items: { $ref: '#' } })],
    ['#/$defs/n', { $ref: '#/$defs/n', $defs: { n: inner({ $ref: '#/$defs/n' }) } }],
    [
      '#/$defs/b',
      {
        $ref: '#/$defs/a',
        $defs: { a: inner({ $ref: '#/$defs/b' }), b: inner({ $ref: '#/$defs/a' }) },
      },
    ],
    ['#/properties/a', inner(inner({ $ref: '#/properties/a' }))],
  ])('that contains itself at %s', (ref, schema) => {
    expect(problem(schema)).toContain('contains itself, and recursion cannot be enforced');
    expect(JSON.stringify(schema)).toContain(`"${ref}"`);
  });

  test('with a long chain of references', () => {
    const names = Array.from({ length: 50_000 }, (_, at) => `n${at}`);
    const $defs = Object.fromEntries(
      names.map((name, at) => [name, { $ref: `#/$defs/n${at + 1}` }]),
    );
    expect(problem({ $ref: '#/$defs/n0', $defs })).toContain('recursion cannot be enforced');
  });

  test.each([
    [{ $ref: 'https://example.com/a.json' }, '"https://example.com/a.json" is not in the schema'],
    [{}, 'a value of any type cannot be enforced'],
    [{ allOf: [open('a'), open('b')] }, 'write one schema instead of allOf'],
    [{ ...open('a'), anyOf: [open('b')] }, 'properties beside anyOf cannot be enforced'],
  ])('with something else: %j', (schema, reason) => {
    expect(problem(schema)).toStartWith(reason);
  });

  test('but not one that uses the same definition twice', () => {
    const $defs = { a: closed('x') };
    const schema = { $defs, anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] };
    expect(accepted(schema)).toEqual(schema);
  });
});
