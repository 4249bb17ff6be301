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
