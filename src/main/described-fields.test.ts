/**
 * Tests that every field of the API for callers has a description, and that every description is
 * used.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CONSOLE_FIELD_WORDS } from '../http/reference/console-field-words.ts';
import { PARAMETER_WORDS } from '../http/reference/described-fields.ts';
import { FIELD_WORDS } from '../http/reference/field-words.ts';
import { newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

type Json = Readonly<Record<string, unknown>>;

let gateway: Gateway;
let document: Json;
/** The OpenAPI document of all routes, as text. */
let whole: string;
let schemas: Json;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  const callers = await gateway.edge.fetch(
    new Request('http://gateway/openapi.json?audience=callers'),
  );
  document = await callers.json();
  whole = await (await gateway.edge.fetch(new Request('http://gateway/openapi.json'))).text();
  schemas = Object(Object(document['components']).schemas);
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const NAME = /^#\/components\/schemas\//;
const targetOf = (schema: Json): Json =>
  Object(schemas[String(schema['$ref'] ?? '').replace(NAME, '')]);

/**
 * Returns the fields and parameters in `value` that have no description but need one. Constants
 * need none.
 */
function undescribed(value: unknown, place: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => undescribed(each, place));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const fields = key === 'properties' ? Object.entries<Json>(Object(inner)) : [];
    const parameters = key === 'parameters' && Array.isArray(inner) ? inner : [];
    const missing = [
      ...fields.filter(([, field]) => !isDescribed(field)).map(([name]) => `${place}.${name}`),
      ...parameters.filter((each) => !isDescribed(each)).map(({ name }) => `${place} ?${name}`),
    ];
    const below =
      key === 'properties'
        ? fields.flatMap(([name, field]) => undescribed(field, `${place}.${name}`))
        : undescribed(inner, key.startsWith('/') || place === '' ? key : place);
    return [...missing, ...below];
  });
}

function isDescribed(field: Json): boolean {
  const { description, const: constant, schema } = field;
  return (
    constant !== undefined ||
    [description, targetOf(field)['description'], Object(schema).description].some(
      (words) => typeof words === 'string' && words !== '',
    )
  );
}

test('every field and parameter of the public API is described', () => {
  expect(undescribed(document['paths'], '')).toEqual([]);
  const named = Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name));
  expect(named).toEqual([]);
});

test('every description of the tables is used', () => {
  const unusedIn = (text: string, table: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(table).flatMap(([name, words]) =>
      text.includes(JSON.stringify(words)) ? [] : [name],
    );
  expect(unusedIn(JSON.stringify(document), FIELD_WORDS)).toEqual([]);
  expect(unusedIn(whole, { ...CONSOLE_FIELD_WORDS, ...PARAMETER_WORDS })).toEqual([]);
});

test('the document for callers has no route of the console or of administrators', () => {
  const paths = Object.keys(Object(document['paths']));
  expect(paths.filter((path) => /^\/(console|admin)/.test(path))).toEqual([]);
  expect(paths).toContain('/v1/chat/completions');
});

test('an unknown audience is refused', async () => {
  const url = 'http://gateway/openapi.json?audience=caller';
  const { status } = await gateway.edge.fetch(new Request(url));
  expect(status).toBe(400);
});
