import { expect, test } from 'bun:test';
import { toolInputSchema } from './json-schema.ts';

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
