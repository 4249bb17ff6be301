import { expect, test } from 'bun:test';
import { inputSchema } from './input-schema.ts';

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
  expect(inputSchema(schema)).toEqual(expected);
});

test.each([{ type: 'object', properties, additionalProperties: false }, { type: 'string' }])(
  'a schema that says what it is stays as it is: %j',
  (schema) => {
    expect(inputSchema(schema)).toBe(schema);
  },
);
