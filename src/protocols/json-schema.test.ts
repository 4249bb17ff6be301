import { describe, expect, test } from 'bun:test';
import { closeSchema, toolInputSchema } from './json-schema.ts';

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
])('the input of a tool is an object with its properties: %j', (schema, expected) => {
  expect(toolInputSchema(schema)).toEqual(expected);
});

test.each([{ type: 'object', properties, additionalProperties: false }, { type: 'string' }])(
  'a schema that says what it is stays as it is: %j',
  (schema) => {
    expect(toolInputSchema(schema)).toBe(schema);
  },
);

const open = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const closed = (name: string) => ({ ...open(name), additionalProperties: false });

describe('a closed schema', () => {
  test('closes objects wherever they stand', () => {
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

  test('leaves open what says that it is', () => {
    for (const additionalProperties of [true, { type: 'string' }, false]) {
      const schema = { ...open('a'), additionalProperties };
      expect(closeSchema(schema)).toEqual(schema);
    }
    expect(closeSchema({ type: 'object' })).toEqual({ type: 'object' });
  });

  test('leaves room for the properties that others add to the same object', () => {
    for (const schema of [
      { allOf: [open('a'), open('b')] },
      { ...open('a'), anyOf: [open('b'), open('c')] },
      { ...open('a'), $ref: '#/$defs/b' },
      { not: open('a') },
    ]) {
      expect(closeSchema(schema)).toEqual(schema);
    }
  });

  test('takes a property for a property, whatever its name', () => {
    const schema = { type: 'object', properties: { items: open('a'), properties: open('b') } };
    expect(closeSchema(schema)).toEqual({
      type: 'object',
      properties: { items: closed('a'), properties: closed('b') },
      additionalProperties: false,
    });
  });
});
