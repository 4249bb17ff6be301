import { expect, test } from 'bun:test';
import type { Card, Channel, Route } from '../catalogue/catalogue.ts';
import { chatSchema } from '../protocols/chat/schema.ts';
import { REQUEST_FIELDS } from '../protocols/chat-to-messages/field-table.ts';
import { NO_QUIRKS, type Quirks } from '../protocols/quirks.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';
import { CHAT_PARAMETERS, supportedParameters } from './supported-parameters.ts';

const upstream = (formats: readonly WireFormat[], quirks: Partial<Quirks> = {}): Upstream => ({
  name: 'up',
  formats: new Set(formats),
  quirks: { ...NO_QUIRKS, ...quirks },
  firstByteTimeoutMs: null,
  hidden: [],
  send: () => Promise.reject(new Error('nobody is asked')),
});
const route = (to: string, drop: readonly string[] = []): Route => ({
  ...{ upstream: to, model: 'm', weight: 1, drop },
});
const channel = (...routes: [Route, ...Route[]]): Pick<Channel<Card>, 'card' | 'routes'> => ({
  card: { kind: 'chat' } as Card,
  routes,
});
const heeded = (routes: [Route, ...Route[]], ...known: readonly [string, Upstream][]) =>
  supportedParameters(channel(...routes), new Map(known));

test('an upstream that speaks chat completions heeds all but what is left out for it', () => {
  const chat = upstream(['chat'], { drop: ['seed'] });
  expect(heeded([route('a')], ['a', upstream(['chat', 'messages'])])).toEqual(CHAT_PARAMETERS);
  const left = heeded([route('a', ['temperature'])], ['a', chat]);
  expect(CHAT_PARAMETERS.filter((name) => !left.includes(name))).toEqual(['temperature', 'seed']);
});

test('effort is offered only where it is known', () => {
  const deaf = upstream(['chat'], { reasoningEffort: false });
  expect(heeded([route('a')], ['a', deaf])).not.toContain('reasoning_effort');
});

test('a Messages upstream heeds what can be said to it, by the names it is said in', () => {
  const said = heeded([route('a')], ['a', upstream(['messages'])]);
  expect(said).toContain('reasoning_effort');
  expect(said).toContain('stop');
  expect(said).not.toContain('seed');
  expect(said).not.toContain('n');
  const silent = upstream(['messages'], { drop: ['stop_sequences', 'thinking'] });
  const left = heeded([route('a')], ['a', silent]);
  expect(said.filter((name) => !left.includes(name))).toEqual(['stop', 'reasoning_effort']);
});

test('what one route does not heed is not offered, and an image channel has none', () => {
  const both = heeded(
    [route('a'), route('b')],
    ['a', upstream(['chat'])],
    ['b', upstream(['messages'])],
  );
  expect(both).not.toContain('seed');
  expect(both).toContain('temperature');
  const image = { card: { kind: 'image' } as Card, routes: [route('a')] } as const;
  expect(supportedParameters({ ...image, routes: [route('a')] }, new Map())).toEqual([]);
});

test('each is a field of chat completions whose fate in Messages is known', () => {
  for (const name of CHAT_PARAMETERS) {
    expect(Object.keys(chatSchema.shape)).toContain(name);
    expect(REQUEST_FIELDS[name]).toBeDefined();
  }
});
