import { describe, expect, test } from 'bun:test';
import { POSTGRES_FORM } from './address.ts';
import { changedFile, problemsIn, SMALL_FILE, settingsOf } from './file.fixture.ts';

const PRICE = 'input: "5.00"';

/** Returns the reported problems after one piece of the valid file is replaced. */
const said = (piece: string, by: string): readonly string[] => problemsIn(changedFile(piece, by));

describe('a valid file', () => {
  test('has no problems, and every setting has its default', () => {
    expect(problemsIn(SMALL_FILE)).toEqual([]);
    const settings = settingsOf(SMALL_FILE);
    expect(settings.listen).toEqual({ host: '127.0.0.1', port: 8787 });
    expect(settings.public_url).toBeNull();
    expect(settings.database).toBe('sqlite');
    expect(settings.images).toEqual({ store: 'local', url_ttl: 3_600_000 });
    expect(settings.chat.stream_default).toBe('negotiate');
    expect(settings.catalogue.public).toBe(true);
    expect(settings.limits.keep_alive).toBe(15_000);
    expect(settings.limits.answer_size).toBe(64 * 1024 * 1024);
    expect(settings.upstreams['builtin']).toEqual({ protocol: 'builtin', tokens_per_second: 120 });
  });
});

describe('keys', () => {
  test('reports the line of an unknown key and the closest known one', () => {
    expect(
      said(
        '    channels:\n      direct:\n        price: { input',
        '    chanels:\n      direct:\n        price: { input',
      ),
    ).toEqual([
      'modelgate.yaml:4: models.gen-x.channels: is missing',
      'modelgate.yaml:10: models.gen-x.chanels: unknown key; did you mean "channels"?',
    ]);
    expect(said('fx:', 'FX: 1\nfx:')[0]).toBe(
      'modelgate.yaml:1: FX: unknown key; did you mean "fx"?',
    );
    expect(said('sizes:', 'size: 1\n    sizes:')).toEqual([
      'modelgate.yaml:17: models.img-x.size: unknown key; did you mean "sizes"?',
    ]);
  });

  test('lists the known keys if none is close', () => {
    expect(said('{ protocol: builtin }', '{ protocol: builtin, zzz: 1 }')).toEqual([
      'modelgate.yaml:2: upstreams.builtin.zzz: unknown key; known here: protocol, tokens_per_second',
    ]);
    expect(said('model: x }]', 'model: x, wait: 1 }]')).toEqual([
      'modelgate.yaml:13: models.gen-x.channels.direct.routes.0.wait: unknown key; known here: upstream, model, weight, priority, drop',
    ]);
  });

  test('rejects a channel that is not one of the three', () => {
    expect(
      said('      direct:\n        price: { input', '      dirct:\n        price: { input'),
    ).toEqual([
      `modelgate.yaml:9: models.gen-x.default_channel: is direct, which is not among the model's channels; it has dirct`,
      'modelgate.yaml:11: models.gen-x.channels.dirct: unknown key; did you mean "direct"?',
    ]);
  });

  test('reports both lines of a duplicate key', () => {
    expect(said('    maker: gen\n', '    maker: gen\n    maker: other\n')).toEqual([
      'modelgate.yaml:7: models.gen-x.maker: appears twice; the first is at modelgate.yaml:6',
    ]);
  });

  test('reports a missing key at its parent, with what to write', () => {
    expect(said('    kind: chat\n', '')).toEqual([
      'modelgate.yaml:4: models.gen-x.kind: is missing; write one of chat, image, embedding',
    ]);
    expect(said('    context_window: 1000\n', '')).toEqual([
      'modelgate.yaml:4: models.gen-x.context_window: is missing; write a whole number from 1 to 100000000',
    ]);
    expect(said('    maker: gen\n', '')).toEqual([
      'modelgate.yaml:4: models.gen-x.maker: is missing',
    ]);
  });

  test('a model id must fit into a URL', () => {
    expect(said('  gen-x:', '  gen x:')[0]).toBe(
      'modelgate.yaml:4: models.gen x: a model id has up to 128 letters, digits and the signs - _ . : /',
    );
  });
});

describe('values', () => {
  test.each([
    ['maker: gen', 'maker: 7', 6, 'models.gen-x.maker: must be text (in quotes), not 7'],
    ['maker: gen', 'maker:', 6, 'models.gen-x.maker: must be text (in quotes), not empty'],
    ['maker: gen', 'maker: ""', 6, 'models.gen-x.maker: must not be empty'],
    ['maker: gen', 'maker: { a: 1 }', 6, 'models.gen-x.maker: must be text (in quotes), not a map'],
    [
      'upstreams: { builtin: { protocol: builtin } }',
      'upstreams: []',
      2,
      'upstreams: must be a map, not a list',
    ],
    [
      'sizes: [512x512, 1024x1024]',
      'sizes: 512x512',
      17,
      'models.img-x.sizes: must be a list, not text',
    ],
    ['maker: gen', 'maker: gen\n    input: []', 7, 'models.gen-x.input: must not be empty'],
    [
      'max_output: 100',
      'max_output: 1.5',
      8,
      'models.gen-x.max_output: write a whole number from 1 to 100000000',
    ],
    [
      'max_output: 100',
      'max_output: 0',
      8,
      'models.gen-x.max_output: write a whole number from 1 to 100000000',
    ],
    [
      'kind: chat',
      'kind: chart',
      5,
      'models.gen-x.kind: "chart" is not one of chat, image, embedding; did you mean "chat"?',
    ],
    ['kind: chat', 'kind: 1', 5, 'models.gen-x.kind: must be one of chat, image, embedding, not 1'],
    [
      'protocol: builtin',
      'protocol: opnai',
      2,
      'upstreams.builtin.protocol: "opnai" is not one of builtin, openai, anthropic, responses; did you mean "openai"?',
    ],
    [
      'maker: gen',
      'maker: gen\n    settlement: EUR',
      7,
      'models.gen-x.settlement: "EUR" is not one of USD, CNY',
    ],
    [
      'maker: gen',
      'maker: gen\n    release_date: 2026/02/31',
      7,
      'models.gen-x.release_date: write the date as YYYY/MM/DD',
    ],
    [
      'fx:',
      'limits: { drain: 30 }\nfx:',
      1,
      'limits.drain: write a duration such as 15s, 60m or 2h',
    ],
    ['fx:', 'limits: { event_size: 8MB }\nfx:', 1, 'limits.event_size: write a size such as 32MiB'],
    [
      'fx:',
      'limits: { request_bytes: 31MiB }\nfx:',
      1,
      'limits.request_bytes: must be at least 32MiB, or the largest request would never fit',
    ],
    ['fx:', 'listen: 8787\nfx:', 1, 'listen: write HOST:PORT, such as 127.0.0.1:8787'],
    ['fx:', 'listen: localhost:99999\nfx:', 1, 'listen: write HOST:PORT, such as 127.0.0.1:8787'],
    [
      'fx:',
      'public_url: ftp://x.example\nfx:',
      1,
      'public_url: write an http or https address without credentials, "?" and "#"',
    ],
    ['fx:', 'database: mysql://x\nfx:', 1, `database: write sqlite or ${POSTGRES_FORM}`],
    [
      'fx:',
      'catalogue: { public: maybe }\nfx:',
      1,
      'catalogue.public: must be true or false, not text',
    ],
    ['fx:', 'images: { store: disk }\nfx:', 1, 'images.store: "disk" is not one of local, s3'],
  ])('%j → %j', (piece, by, line, problem) => {
    expect(said(piece, by)).toEqual([`modelgate.yaml:${line}: ${problem}`]);
  });

  test('truncates values in messages, since one may be a key in the wrong line', () => {
    const [line = ''] = said('kind: chat', `kind: ${'k'.repeat(200)}`);
    expect(line).toContain(`"${'k'.repeat(32)}" is not one of`);
  });
});

describe('prices', () => {
  test.each([
    ...['"1e-3"', '"-1"', '"$5"', '"1,50"', '".5"', '""'].map((text) => [
      text,
      'write a plain decimal such as "5.00": no sign, no exponent, no currency',
    ]),
    ['"0.1234567"', 'has more than 6 decimals, which cannot be counted exactly'],
    ['"1234567890"', 'has more than 9 digits before the point'],
    ['5.00', 'write it in quotes, such as "5.00"'],
    ['1e3', 'write it in quotes, such as "5.00"'],
  ])('of tokens: rejects %s', (written, problem) => {
    expect(said(PRICE, `input: ${written}`)).toEqual([
      `modelgate.yaml:12: models.gen-x.channels.direct.price.input: ${problem}`,
    ]);
  });

  test('of tokens have six decimals, of images nine', () => {
    expect(said(PRICE, 'input: "0.123456"')).toEqual([]);
    expect(said('512x512: "0.01"', '512x512: "0.123456789"')).toEqual([]);
    expect(said('512x512: "0.01"', '512x512: "0.1234567891"')).toEqual([
      'modelgate.yaml:22: models.img-x.channels.direct.price.per_image.512x512: has more than 9 decimals, which cannot be counted exactly',
    ]);
  });

  test('rejects a channel without a price', () => {
    expect(said('        price: { input: "5.00", output: "25.00" }\n', '')).toEqual([
      'modelgate.yaml:11: models.gen-x.channels.direct.price: is missing: every model needs a price',
    ]);
    expect(said('{ input: "5.00", output', '{ output')).toEqual([
      'modelgate.yaml:12: models.gen-x.channels.direct.price.input: is missing; write it in quotes, such as "5.00"',
    ]);
  });

  test('requires one for every size and quality of an image model', () => {
    expect(said('512x512/hd: "0.02", 1024x1024: "0.03", ', '')).toEqual([
      'modelgate.yaml:22: models.img-x.channels.direct.price.per_image.512x512/hd: is missing: the model offers it, so it needs a price',
      'modelgate.yaml:22: models.img-x.channels.direct.price.per_image.1024x1024: is missing: the model offers it, so it needs a price',
    ]);
  });

  test('rejects an image price that the model does not offer', () => {
    expect(said('512x512/hd:', '512x512/high: "1", 512x512/hd:')).toEqual([
      'modelgate.yaml:22: models.img-x.channels.direct.price.per_image.512x512/high: is not offered by the model; it offers 512x512, 512x512/hd, 1024x1024, 1024x1024/hd, 512x512/standard, 1024x1024/standard',
    ]);
  });

  test('requires the USD/CNY rate for a model that settles in CNY', () => {
    expect(
      problemsIn(
        changedFile(
          'fx: { USD/CNY: "7.1000" }',
          'fx: {}',
          changedFile('maker: gen', 'maker: gen\n    settlement: CNY'),
        ),
      ),
    ).toEqual(['modelgate.yaml:7: models.gen-x.settlement: is CNY, but fx has no rate USD/CNY']);
  });

  test('a model may have shorter deadlines than the limits, not longer ones', () => {
    expect(said('maker: gen', 'maker: gen\n    timeouts: { total: 60m, idle: 5m }')).toEqual([]);
    expect(said('maker: gen', 'maker: gen\n    timeouts: { total: 61m }')).toEqual([
      'modelgate.yaml:7: models.gen-x.timeouts.total: is longer than limits.total_timeout, which is 60m; raise that first',
    ]);
  });

  test('are in USD, and may say so', () => {
    expect(said(PRICE, `${PRICE}, currency: USD`)).toEqual([]);
    expect(said(PRICE, `${PRICE}, currency: CNY`)).toEqual([
      'modelgate.yaml:12: models.gen-x.channels.direct.price.currency: prices are in USD; for a model that is charged in CNY write settlement: CNY',
    ]);
  });

  test.each([
    ['"0"', 'must be above zero'],
    ['"0.000"', 'must be above zero'],
    ['"7.123456789"', 'has more than 8 decimals, which cannot be counted exactly'],
    ['7.1', 'write it in quotes, such as "7.1000"'],
  ])('rejects an exchange rate of %s', (written, problem) => {
    expect(said('"7.1000"', written)).toEqual([`modelgate.yaml:1: fx.USD/CNY: ${problem}`]);
  });
});

describe('names that refer to nothing', () => {
  test('a default channel that the model does not have', () => {
    expect(said('default_channel: direct', 'default_channel: stable')).toEqual([
      `modelgate.yaml:9: models.gen-x.default_channel: is stable, which is not among the model's channels; it has direct`,
    ]);
  });

  test('an undefined upstream', () => {
    expect(said('upstream: builtin', 'upstream: bultin')).toEqual([
      'modelgate.yaml:13: models.gen-x.channels.direct.routes.0.upstream: there is no upstream "bultin"; did you mean "builtin"?',
    ]);
    expect(said('upstream: builtin', 'upstream: elsewhere')).toEqual([
      'modelgate.yaml:13: models.gen-x.channels.direct.routes.0.upstream: there is no upstream "elsewhere"; known: builtin',
    ]);
  });

  test('a channel without routes', () => {
    expect(said('[{ upstream: builtin, model: x }]', '[]')).toEqual([
      'modelgate.yaml:13: models.gen-x.channels.direct.routes: a channel needs at least one route',
    ]);
  });

  test.each(['anthropic', 'responses'])('images from an upstream that speaks %s', (protocol) => {
    const file = changedFile(
      '{ protocol: builtin }',
      `{ protocol: ${protocol}, base_url: "https://a.example", api_key: none }`,
    );
    expect(problemsIn(file)).toEqual([
      `modelgate.yaml:23: models.img-x.channels.direct.routes.0.upstream: "builtin" speaks ${protocol}, which cannot make images`,
    ]);
  });
});

test('processes share a port only with PostgreSQL', () => {
  expect(said('upstreams: {', 'share_port: true\nupstreams: {')).toEqual([
    'modelgate.yaml:2: share_port: needs a PostgreSQL database: with SQLite, one process owns all data',
  ]);
  const database = 'database: "postgres://localhost/modelgate"';
  expect(said('upstreams: {', `share_port: true\n${database}\nupstreams: {`)).toEqual([]);
});

test("a pooler's server and a replica are only named beside PostgreSQL", () => {
  expect(said('upstreams: {', 'database_replica: "postgres://standby/x"\nupstreams: {')).toEqual([
    'modelgate.yaml:2: database_replica: needs the address of its PostgreSQL primary in `database`',
  ]);
  const direct = 'database_direct: "postgres://localhost/modelgate"';
  expect(said('upstreams: {', `${direct}\nupstreams: {`)).toEqual([
    'modelgate.yaml:2: database_direct: needs the address of a PostgreSQL pooler in `database`',
  ]);
  const database = 'database: "postgres://pooler:6432/modelgate"';
  expect(said('upstreams: {', `${direct}\n${database}\nupstreams: {`)).toEqual([]);
});

describe('network upstreams', () => {
  const withUpstream = (keys: string): readonly string[] =>
    said('upstreams: {', `upstreams: { net: { protocol: openai, ${keys} },`);

  test('a private address needs allow_private', () => {
    expect(withUpstream('base_url: "http://127.0.0.1:8000/v1", api_key: none')).toEqual([
      'modelgate.yaml:2: upstreams.net.base_url: is a private address; add allow_private: true if intended',
    ]);
    expect(
      withUpstream('base_url: "http://127.0.0.1:8000/v1", api_key: none, allow_private: true'),
    ).toEqual([]);
  });

  test.each([
    'ftp://x.example',
    'x.example/v1',
    'https://me:pw@x.example',
    'https://x.example/?a=1',
    'https://',
  ])('rejects %s as base address', (url) => {
    expect(withUpstream(`base_url: "${url}", api_key: none`)).toEqual([
      'modelgate.yaml:2: upstreams.net.base_url: write an http or https address without credentials, "?" and "#"',
    ]);
  });

  test('a key is required, even if none', () => {
    expect(withUpstream('base_url: "https://x.example"')).toEqual([
      'modelgate.yaml:2: upstreams.net.api_key: is missing; write the API key, or "none" if the server needs no key, or set sign_in instead',
    ]);
  });

  test('rejects an invalid header', () => {
    expect(
      withUpstream(
        'base_url: "https://x.example", api_key: none, headers: { "a b": c, d: "e\\nf" }',
      ),
    ).toEqual([
      'modelgate.yaml:2: upstreams.net.headers.a b: is not a valid header name',
      'modelgate.yaml:2: upstreams.net.headers.d: must be printable ASCII on one line',
    ]);
  });

  test.each([
    'Connection',
    'host',
    'Transfer-Encoding',
    'Content-Length',
    'Cookie',
    'X-Forwarded-For',
  ])('rejects the header %s, which the gateway sets', (name) => {
    const upstream = `base_url: "https://x.example", api_key: none, headers: { ${name}: a }`;
    expect(withUpstream(upstream)).toEqual([
      `modelgate.yaml:2: upstreams.net.headers.${name}: cannot be set: the gateway sets it itself`,
    ]);
  });
});

test('reports all problems at once, of schema and references, in file order', () => {
  let file = changedFile('maker: gen', 'makr: gen');
  file = changedFile('max_output: 100', 'max_output: many', file);
  file = changedFile(
    'upstream: builtin, model: x }]\n  img',
    'upstream: nowhere, model: x }]\n  img',
    file,
  );
  file = changedFile('sizes: [512x512', 'sizes: [256x256, 512x512', file);
  expect(problemsIn(file).map((line) => line.split(': ').slice(0, 2).join(' '))).toEqual([
    'modelgate.yaml:4 models.gen-x.maker',
    'modelgate.yaml:6 models.gen-x.makr',
    'modelgate.yaml:8 models.gen-x.max_output',
    'modelgate.yaml:13 models.gen-x.channels.direct.routes.0.upstream',
    'modelgate.yaml:22 models.img-x.channels.direct.price.per_image.256x256',
    'modelgate.yaml:22 models.img-x.channels.direct.price.per_image.256x256/hd',
  ]);
});

test('reports what an empty file, or a list, lacks', () => {
  expect(problemsIn('')).toEqual([
    'modelgate.yaml:1: upstreams: is missing',
    'modelgate.yaml:1: models: is missing',
  ]);
  expect(problemsIn('- 1')).toEqual(['modelgate.yaml:1: must be a map, not a list']);
});
