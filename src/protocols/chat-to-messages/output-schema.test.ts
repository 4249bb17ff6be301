import { describe, expect, test } from 'bun:test';
import { closedSchema } from './output-schema.ts';

const open = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const closed = (name: string) => ({ ...open(name), additionalProperties: false });

describe('a closed schema', () => {
  test('closes objects wherever they stand', () => {
    expect(
      closedSchema({
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
      expect(closedSchema(schema)).toEqual(schema);
    }
    expect(closedSchema({ type: 'object' })).toEqual({ type: 'object' });
  });

  test('leaves room for the properties that others add to the same object', () => {
    for (const schema of [
      { allOf: [open('a'), open('b')] },
      { ...open('a'), anyOf: [open('b'), open('c')] },
      { ...open('a'), $ref: '#/$defs/b' },
      { not: open('a') },
    ]) {
      expect(closedSchema(schema)).toEqual(schema);
    }
  });

  test('takes a property for a property, whatever its name', () => {
    const schema = { type: 'object', properties: { items: open('a'), properties: open('b') } };
    expect(closedSchema(schema)).toEqual({
      type: 'object',
      properties: { items: closed('a'), properties: closed('b') },
      additionalProperties: false,
    });
  });
});
