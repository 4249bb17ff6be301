import { expect, test } from 'bun:test';
import type { Card, Route } from '../catalogue/catalogue.ts';
import { type Admits, flatTerms } from '../money/card-terms.ts';
import { NO_RATES } from '../money/price.ts';
import { chatSchema } from '../protocols/chat/schema.ts';
import { REQUEST_FIELDS } from '../protocols/chat-to-messages/field-table.ts';
import { NO_QUIRKS, type Quirks } from '../protocols/quirks.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';
import { CHAT_PARAMETERS, PARAMETERS, supportedParameters } from './supported-parameters.ts';

const upstream = (formats: readonly WireFormat[], quirks: Partial<Quirks> = {}): Upstream => ({
  name: 'up',
  formats: new Set(formats),
  quirks: { ...NO_QUIRKS, ...quirks },
  fields: PLAIN_FIELDS,
  firstByteTimeoutMs: null,
  hidden: [],
  send: () => Promise.reject(new Error('not called')),
});
const route = (to: string, drop: readonly string[] = []): Route => ({
  ...{ upstream: to, model: 'm', weight: 1, priority: 1, drop },
});
const flat = flatTerms(NO_RATES);
const SELLING = { ...flat.admits, tier: ['flex'], speed: ['fast'], geo: ['us'] };
const channel = (admits: Admits, routes: [Route, ...Route[]]) => ({
  card: { unit: 'token', terms: { ...flat, admits } } as Card,
  routes,
});
const supported = (routes: [Route, ...Route[]], ...known: readonly [string, Upstream][]) =>
  supportedParameters(channel(SELLING, routes), new Map(known));

test('a chat upstream supports all parameters but the dropped ones', () => {
  const chat = upstream(['chat'], { drop: ['seed'] });
  expect(supported([route('a')], ['a', upstream(['chat'])])).toEqual(CHAT_PARAMETERS);
  expect(supported([route('a')], ['a', upstream(['chat', 'messages'])])).toEqual(PARAMETERS);
  const left = supported([route('a', ['temperature'])], ['a', chat]);
  expect(CHAT_PARAMETERS.filter((name) => !left.includes(name))).toEqual(['temperature', 'seed']);
});

test('offers reasoning effort only where it is supported', () => {
  const deaf = upstream(['chat'], { reasoningEffort: false });
  expect(supported([route('a')], ['a', deaf])).not.toContain('reasoning_effort');
});

test('a Messages upstream supports the parameters with a counterpart', () => {
  const said = supported([route('a')], ['a', upstream(['messages'])]);
  expect(said).toContain('reasoning_effort');
  expect(said).toContain('stop');
  expect(said).not.toContain('seed');
  expect(said).not.toContain('n');
  const silent = upstream(['messages'], { drop: ['stop_sequences', 'thinking'] });
  const left = supported([route('a')], ['a', silent]);
  expect(said.filter((name) => !left.includes(name))).toEqual(['stop', 'reasoning_effort']);
});

test('an upstream of Responses alone supports the parameters that it has', () => {
  const said = supported([route('a')], ['a', upstream(['responses'])]);
  const without = ['presence_penalty', 'frequency_penalty', 'seed', 'stop', 'n', 'logit_bias'];
  expect<readonly string[]>(CHAT_PARAMETERS.filter((name) => !said.includes(name))).toEqual(
    without,
  );
  const silent = upstream(['responses'], { drop: ['text', 'temperature'] });
  const left = supported([route('a')], ['a', silent]);
  expect(said.filter((name) => !left.includes(name))).toEqual([
    'temperature',
    'response_format',
    'verbosity',
  ]);
});

test('offers a tier, a speed and a place only where the card sells one', () => {
  const priced = ['service_tier', 'speed', 'inference_geo'];
  const on = (admits: Partial<Admits>, ...formats: readonly WireFormat[]) =>
    supportedParameters(
      channel({ ...flat.admits, ...admits }, [route('a')]),
      new Map([['a', upstream(formats)]]),
    ).filter((name) => priced.includes(name));
  expect(on({}, 'chat', 'messages')).toEqual([]);
  expect(on({ tier: ['flex'] }, 'chat')).toEqual(['service_tier']);
  expect(on({ speed: ['fast'] }, 'messages')).toEqual(['speed']);
  expect(on({ geo: ['us'] }, 'messages')).toEqual(['inference_geo']);
  expect(on(SELLING, 'chat')).toEqual(['service_tier']);
});

test('offers what all routes support, and nothing for an image channel', () => {
  const both = supported(
    [route('a'), route('b')],
    ['a', upstream(['chat'])],
    ['b', upstream(['messages'])],
  );
  expect(both).not.toContain('seed');
  expect(both).toContain('temperature');
  const image = { card: { unit: 'image' } as Card, routes: [route('a')] } as const;
  expect(supportedParameters({ ...image, routes: [route('a')] }, new Map())).toEqual([]);
});

test('every parameter is a chat field with a known counterpart', () => {
  for (const name of CHAT_PARAMETERS) {
    expect(Object.keys(chatSchema().shape)).toContain(name);
    expect(REQUEST_FIELDS[name]).toBeDefined();
  }
});
