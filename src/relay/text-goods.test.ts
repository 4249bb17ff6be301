import { describe, expect, test } from 'bun:test';
import type { Channel, ChatCard, ChatModel } from '../catalogue/catalogue.ts';
import { manualClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { JsonScan } from '../json/scan.ts';
import { chatDialect } from '../protocols/chat/errors.ts';
import type { TextFormat } from '../protocols/dialect.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import type { PreparedRequest, Translator } from '../protocols/translator.ts';
import type { Fitness, RouteHealth } from '../routing/health.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { smallCatalogue } from './admission.fixture.ts';
import type { TextEndpoint } from './text-endpoint.ts';
import { planText } from './text-goods.ts';

const known = smallCatalogue().models.get('gen-usd');
if (known?.kind !== 'chat') throw new Error('the fixture has changed');
const model: ChatModel = known;

const upstream = (name: string, format: TextFormat): Upstream => ({
  name,
  formats: new Set([format]),
  quirks: NO_QUIRKS,
  firstByteTimeoutMs: null,
  hidden: [],
  send: () => Promise.reject(new Error('not called')),
});
const upstreams = new Map([
  ['speaks-chat', upstream('speaks-chat', 'chat')],
  ['speaks-messages', upstream('speaks-messages', 'messages')],
]);

/** Translators that record what they were asked, and refuse what the test wants. */
function scene(refusing: readonly TextFormat[]) {
  const prepared: TextFormat[] = [];
  const translator = (to: TextFormat): Translator => ({
    caller: 'chat',
    upstream: to,
    prepare: (): PreparedRequest => {
      prepared.push(to);
      if (refusing.includes(to))
        throw new GatewayError('unsupported_value', `not in ${to}`, { param: 'n' });
      return {
        bodyFor: () => new TextEncoder().encode(to),
        openStream: () => {
          throw new Error('not called');
        },
        readAnswer: () => {
          throw new Error('not called');
        },
      };
    },
  });
  const endpoint: TextEndpoint = {
    name: 'chat',
    dialect: chatDialect,
    translators: new Map([
      ['chat', translator('chat')],
      ['messages', translator('messages')],
    ]),
  };
  return { endpoint, prepared };
}

const health: RouteHealth = {
  fitness: (): Fitness => ({ standing: 'closed', waitMs: 0, inFlight: 0, firstByteMs: null }),
  begin: () => ({ firstByte: () => undefined, end: () => undefined }),
};
const bytes = new TextEncoder().encode('{}');
const body = new JsonScan({ maxDepth: 4 }).finish(bytes, bytes.byteLength);

/** A plan over routes to these upstreams, each in a channel of its own so that their order is certain. */
function plan(names: readonly string[], refusing: readonly TextFormat[] = []) {
  const { endpoint, prepared } = scene(refusing);
  const direct = model.channels.get('direct');
  if (direct === undefined) throw new Error('the fixture has changed');
  const [first, ...rest] = names.map(
    (name): Channel<ChatCard> => ({
      ...direct,
      routes: [{ upstream: name, model: 'm', weight: 1, drop: [] }],
    }),
  );
  if (first === undefined) throw new Error('no channel');
  const deps = { clock: manualClock(), upstreams: () => upstreams, health };
  const offer = { model, channels: [first, ...rest] } as const;
  const planned = planText(deps, { endpoint, offer, body, stream: false, affinity: () => null });
  return { planned, prepared };
}

const routes = ({ planned }: ReturnType<typeof plan>): readonly string[] =>
  planned.destinations.map((to) => to.upstream.name);

describe('a request', () => {
  test('is written for the first route before anything is held, and for others when they are asked', () => {
    const { planned, prepared } = plan(['speaks-messages', 'speaks-chat']);
    expect(prepared).toEqual(['messages']);
    for (const to of planned.destinations) planned.prepared(to);
    for (const to of planned.destinations) planned.prepared(to);
    expect(prepared).toEqual(['messages', 'chat']);
  });

  test('that one dialect cannot say goes to whoever speaks the other', () => {
    const names = ['speaks-messages', 'speaks-chat'];
    expect(routes(plan(names, ['messages']))).toEqual(['speaks-chat']);
    // A fallback that may not be able to is left in: it is found out if it comes to that.
    expect(routes(plan(names.toReversed(), ['messages']))).toEqual(names.toReversed());
  });

  test('that nobody can be told is refused, naming the place', () => {
    expect(() => plan(['speaks-messages', 'speaks-chat'], ['chat', 'messages'])).toThrow(
      new GatewayError('unsupported_value', 'not in chat'),
    );
    expect(() => plan(['speaks-messages'], ['messages'])).toThrow('not in messages');
  });
});
