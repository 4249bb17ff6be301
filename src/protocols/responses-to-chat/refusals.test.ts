/**
 * Tests that a request with a mistake is either translated, or refused with the path of the
 * mistake.
 */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../json/object.ts';
import { readChatRequest } from '../chat/request.ts';
import { readMessagesRequest } from '../messages/request.ts';
import { requests } from './conversations.fixture.ts';
import { ITEM_TYPES, PART_TYPES, TOOL_TYPES } from './field-table.ts';
import { asChat, asMessages, target } from './request.fixture.ts';

const TYPES = [ITEM_TYPES, PART_TYPES, TOOL_TYPES].flatMap((table) => Object.keys(table));
const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...TYPES, null, '', 'text', 7, true, [], {}, [null], [[]], [{}]),
  fc.constantFrom(...TYPES).map((type) => ({ type })),
  fc.constantFrom(...TYPES).map((type) => [{ type, tools: [{ type }], content: [{ type }] }]),
);

/** Returns the paths of all nested values, as lists of keys. */
function places(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, each]) => places(each, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (`${at}` === key ? replaced(each, rest, by) : each));
  return isJsonObject(value) ? { ...value, [key]: replaced(value[key], rest, by) } : value;
}

/**
 * Whether `request` has an object or list in which `param`, a path such as `input[0].type`, could
 * be a member.
 */
function hasPlace(request: JsonObject, param: string): boolean {
  const keys = param.split(/[.[\]]+/).filter((key) => key !== '');
  let value: unknown = request;
  for (const key of keys.slice(0, -1)) {
    if (typeof value !== 'object' || value === null) return false;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return typeof value === 'object' && value !== null;
}

/** The members that the translators check. The request reader of the endpoint checks all others. */
const CHECKED: ReadonlySet<string | undefined> = new Set(['input', 'tools', 'tool_choice']);

/**
 * Each translation of a Responses request, with the function that reads the translated request. The
 * function refuses what an upstream would refuse.
 */
const SERVERS = [
  [asChat, readChatRequest],
  [asMessages, readMessagesRequest],
] as const;

function sent(
  request: JsonObject,
  translate: typeof asChat,
): Uint8Array<ArrayBuffer> | GatewayError {
  try {
    return translate(request).bodyFor(target());
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
}

test('a request with a wrong value is valid at the server, or refused with the path of a value', () => {
  let refusals = 0;
  fc.assert(
    fc.property(requests, fc.nat(), wrong, ({ request: items }, at, value) => {
      const request = { ...items, tool_choice: 'auto' };
      const all = places(request).filter(([root]) => CHECKED.has(root));
      const broken = replaced(request, all[at % all.length] ?? [], value) as JsonObject;
      for (const [translate, accept] of SERVERS) {
        const bytes = sent(broken, translate);
        if (bytes instanceof GatewayError) {
          refusals += 1;
          const { code, param, message } = bytes;
          expect({ code, hasPlace: hasPlace(broken, param ?? '') }).toEqual({
            code,
            hasPlace: true,
          });
          expect(message).toStartWith(`${param}: `);
        } else accept(JSON.parse(new TextDecoder().decode(bytes)));
      }
    }),
    { numRuns: 500, seed: 15 },
  );
  expect(refusals).toBeGreaterThan(100);
});
