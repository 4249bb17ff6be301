/**
 * Tests that the configuration refuses timeouts with which every request would fail, and entries in
 * `drop` that every request needs, and that it says what to write instead of a wrong value.
 */

import { expect, test } from 'bun:test';
import { finish } from './document/steps.ts';
import { changedFile, problemsIn, readYaml, settingsOf } from './file.fixture.ts';
import { sourceSteps } from './sources.ts';

const upstream = (more: string): string =>
  changedFile(
    'upstreams: { builtin: { protocol: builtin } }',
    `upstreams: { builtin: { protocol: builtin }, a: { protocol: openai, base_url: "https://a.example/v1", api_key: k, ${more} } }`,
  );
const model = (more: string): string =>
  changedFile('    maker: gen\n', `    maker: gen\n    ${more}\n`);
const limits = (more: string): string => changedFile('models:\n', `limits: { ${more} }\nmodels:\n`);

test.each([
  ['upstreams.a.connect_timeout', upstream('connect_timeout: 0s')],
  ['upstreams.a.first_byte_timeout', upstream('first_byte_timeout: 0ms')],
  // JavaScript fires a timer at once if its delay exceeds 2^31 milliseconds, which is less than 25
  // days.
  ['upstreams.a.first_byte_timeout', upstream('first_byte_timeout: 25d')],
  ['models.gen-x.timeouts.idle', model('timeouts: { idle: 0s }')],
  ['limits.connect_timeout', limits('connect_timeout: 0s')],
  ['limits.first_byte_timeout', limits('first_byte_timeout: 0s')],
  ['limits.idle_timeout', limits('idle_timeout: 99d')],
  ['limits.stall_timeout', limits('stall_timeout: 0s')],
  ['limits.total_timeout', limits('total_timeout: 0s')],
])('rejects %s: a deadline is above zero and within what a timer can wait', (path, text) => {
  expect(problemsIn(text).map((line) => line.replace(/^[^ ]+ /, ''))).toEqual([
    `${path}: must be longer than 0s and at most 24d`,
  ]);
});

test.each(['keep_alive', 'stall_timeout'])(
  'rejects a %s in which the server would close the connection',
  (name) => {
    expect(settingsOf(limits(`${name}: 4m`)).limits).toMatchObject({ [name]: 240_000 });
    expect(problemsIn(limits(`${name}: 241s`))[0]).toContain(`limits.${name}: must be at most 4m`);
  },
);

test.each(['answer_size', 'event_size'])('rejects a %s into which no answer fits', (name) => {
  expect(problemsIn(limits(`${name}: 0MiB`))[0]).toEndWith(`${name}: must be larger than 0`);
});

test('accepts the longest deadline', () => {
  expect(settingsOf(limits('total_timeout: 24d')).limits.total_timeout).toBe(24 * 86_400_000);
});

test('rejects dropping a field that every request needs', () => {
  const route = changedFile('model: x }]', 'model: x, drop: [temperature, messages] }]');
  expect(problemsIn(route)).toEqual([
    'modelgate.yaml:13: models.gen-x.channels.direct.routes.0.drop.1: cannot be dropped: every request needs it',
  ]);
  expect(problemsIn(upstream('quirks: { drop: [stream] }'))[0]).toContain('cannot be dropped');
});

test.each(['max_tokens', 'max_completion_tokens'])('rejects dropping the limit %s', (limit) => {
  const remedy = 'name the field that the server knows in quirks.max_tokens_field';
  expect(problemsIn(upstream(`quirks: { drop: [${limit}] }`))[0]).toContain(remedy);
  const route = changedFile('model: x }]', `model: x, drop: [${limit}] }]`);
  expect(problemsIn(route)[0]).toContain(remedy);
});

test('says where an upstream reports tool uses and its price', () => {
  const { upstreams } = settingsOf(
    upstream('quirks: { tool_uses: { web_search: [searches] }, reported_cost: { path: cost } }'),
  );
  expect(upstreams['a']).toMatchObject({
    quirks: {
      tool_uses: { web_search: ['searches'] },
      reported_cost: { path: 'cost', decimals: 0 },
    },
  });
  expect(settingsOf(upstream('quirks: { reported_cost: null }')).upstreams['a']).toMatchObject({
    quirks: { reported_cost: null },
  });
  expect(problemsIn(upstream('quirks: { tool_uses: { request: [n] } }'))[0]).toContain(
    'upstreams.a.quirks.tool_uses.request: unknown key',
  );
  expect(problemsIn(upstream('quirks: { reported_cost: { path: c, decimals: 13 } }'))[0]).toContain(
    'upstreams.a.quirks.reported_cost.decimals: write a whole number from 0 to 12',
  );
});

test('says what to write in place of a value that may have several forms', () => {
  const described = (text: string) =>
    problemsIn(changedFile('maker: gen', `maker: gen\n    description: ${text}`));
  expect(described('{ en: Fast. }')).toEqual([
    'modelgate.yaml:7: models.gen-x.description: write one text, or one for each language: { en: "...", zh: "..." }',
  ]);
  expect(described('{ en: A, zh: B, fr: C }')).toEqual([
    'modelgate.yaml:7: models.gen-x.description.fr: unknown key',
  ]);
  expect(problemsIn(upstream('quirks: { thinking_off: { think: [no] } }'))[0]).toEndWith(
    'thinking_off.think: write text, a number, true or false, or a map of these',
  );
});

test('a single name in place of a list is not called missing', () => {
  const rows = 'rows: [{ when: { tier: Priority }, scale: "2" }]';
  const file = changedFile('output: "25.00" }', `output: "25.00", ${rows} }`);
  expect(problemsIn(file)[0]).toEndWith('rows.0.when.tier.0: write a name in lower case');
});

test('says that no upstream is defined', () => {
  const file = changedFile('{ builtin: { protocol: builtin } }', '{}');
  expect(problemsIn(file)[0]).toEndWith('there is no upstream "builtin"; no upstream is defined');
});

test('the list of settings shows the fields that turn thinking off', () => {
  const file = upstream('quirks: { thinking_off: { thinking: { type: disabled } } }');
  const shown = finish(sourceSteps(readYaml(file, 'modelgate.yaml', {})));
  expect(shown.get('upstreams.a.quirks.thinking_off.thinking')?.value).toBe('{"type":"disabled"}');
});
