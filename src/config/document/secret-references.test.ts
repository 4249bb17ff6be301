// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { changedFile, problemsIn, readYaml, SMALL_FILE, settingsOf } from '../file.fixture.ts';
import { Secret } from '../secret.ts';
import { sourceSteps } from '../sources.ts';
import type { FindSecret } from './secret-name.ts';
import { finish } from './steps.ts';

const VALUE = 'value-of-a-secret-0123456789-abcdef';
const GOOGLE = JSON.stringify({
  client_email: 'a@b.example',
  private_key: `-----BEGIN PRIVATE KEY-----\n${VALUE}`,
});
const ready: FindSecret = (name) => ({
  state: 'ready',
  value: new Secret(name === 'GOOGLE' ? GOOGLE : VALUE),
});
const unreadable: FindSecret = () => ({ state: 'unreadable' });

const upstream = (settings: string): string =>
  changedFile(
    'upstreams: { builtin: { protocol: builtin } }',
    `upstreams:
  builtin: { protocol: builtin }
  other: { protocol: openai, base_url: "https://x.example", ${settings} }`,
  );
const top = (settings: string): string => `${SMALL_FILE}${settings}\n`;

/** The path of every setting that may refer to a secret, with a file that sets this setting. */
const PLACES: readonly (readonly [path: string, text: string])[] = [
  ['upstreams.other.api_key', upstream('api_key: "${secret:A}"')],
  ['upstreams.other.headers.x-a', upstream('api_key: none, headers: { x-a: "Is ${secret:A}" }')],
  [
    'upstreams.other.reconcile.admin_key',
    upstream('make: openai, api_key: none, reconcile: { admin_key: "${secret:A}" }'),
  ],
  [
    'upstreams.other.sign_in.secret_access_key',
    upstream(
      'sign_in: { kind: aws, region: r, access_key_id: a, secret_access_key: "${secret:A}" }',
    ),
  ],
  [
    'upstreams.other.sign_in.credentials',
    upstream('sign_in: { kind: google, credentials: "${secret:GOOGLE}" }'),
  ],
  [
    'upstreams.other.sign_in.client_secret',
    upstream('sign_in: { kind: azure, tenant_id: t, client_id: c, client_secret: "${secret:A}" }'),
  ],
  [
    'images.secret_access_key',
    top(
      'images: { store: s3, bucket: b, endpoint: "https://s3.example", access_key_id: i, secret_access_key: "${secret:A}" }',
    ),
  ],
  [
    'payments.stripe.secret_key',
    top('payments: { stripe: { secret_key: "${secret:A}", webhook_secret: w } }'),
  ],
  [
    'payments.stripe.webhook_secret',
    top('payments: { stripe: { secret_key: k, webhook_secret: "${secret:A}" } }'),
  ],
  [
    'alerts.webhook_secret',
    top('alerts: { webhook_url: "https://ops.example", webhook_secret: "${secret:A}" }'),
  ],
  [
    'console.oidc.client_secret',
    top(
      'console: { oidc: { issuer: "https://sso.example", client_id: c, client_secret: "${secret:A}", email_domains: example.com } }',
    ),
  ],
  ['tracing.headers.x-b', top('tracing: { headers: { x-b: "${secret:A}" } }')],
];

const usesIn = (text: string, find: FindSecret) =>
  readYaml(text, 'f.yaml', {}, find).uses.map(({ path, problem }) => [path.join('.'), problem]);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (each instanceof Secret ? each.reveal() : each));

describe('a reference to a secret', () => {
  test.each(PLACES)('stands at %s, whose value is never shown', (path, text) => {
    const settings = settingsOf(text, {}, ready);
    expect(textOf(revealed(settings))).toContain(VALUE);
    expect(usesIn(text, ready)).toEqual([[path, null]]);
    const read = readYaml(text, 'f.yaml', {}, ready);
    const shown = inspect([...finish(sourceSteps(read))], { depth: 9, maxArrayLength: null });
    expect(shown).not.toContain(VALUE);
    expect(shown).toContain('***');
  });

  test.each([
    ['protocol: openai', 'protocol: "${NONE:-openai}"', 'upstreams.other.api_key'],
    ['kind: azure', 'kind: "${NONE:-azure}"', 'upstreams.other.sign_in.client_secret'],
    ['store: s3', 'store: "${NONE:-s3}"', 'images.secret_access_key'],
  ])('is resolved in a record whose kind is a reference: %s', (kind, reference, path) => {
    const written = PLACES.find(([each]) => each === path)?.[1] ?? '';
    const text = written.replace(kind, reference);
    expect(text).not.toBe(written);
    expect(textOf(revealed(settingsOf(text, {}, ready)))).toContain(VALUE);
    expect(usesIn(text, ready)).toEqual([[path, null]]);
  });

  test.each(PLACES)('at %s leaves valid settings while it has no value', (path, text) => {
    for (const [find, problem] of [
      [() => ({ state: 'unset' }) as const, 'is not set; enter it with `modelgate secrets set'],
      [unreadable, "cannot be decrypted with this node's key; restore the key, or enter it"],
    ] as const) {
      expect(settingsOf(text, {}, find)).toBeDefined();
      expect(usesIn(text, find)).toEqual([[path, expect.stringContaining(problem)]]);
    }
  });

  test('without a value leaves out what works without it', () => {
    const settings = (path: string) =>
      settingsOf(PLACES.find(([each]) => each === path)?.[1] ?? '', {}, unreadable);
    expect(settings('payments.stripe.secret_key').payments.stripe).toBeUndefined();
    expect(settings('alerts.webhook_secret').alerts.webhook_url).toBeNull();
    expect(settings('tracing.headers.x-b').tracing.headers).toEqual({});
    const { other } = settings('upstreams.other.reconcile.admin_key').upstreams;
    expect(other).toBeDefined();
    expect(other !== undefined && 'reconcile' in other).toBe(false);
  });

  test.each([
    ['models.gen-x.maker', changedFile('maker: gen', 'maker: "${secret:A}"')],
    ['upstreams.other.base_url', upstream('api_key: none').replace('x.example', '${secret:A}')],
    ['console.secret', top('console: { secret: "${secret:A}" }')],
    ['database', top('database: "${secret:A}"')],
    ['secrets.key', top('secrets: { key: "${secret:A}" }')],
    ['node_name', top('node_name: "${secret:A}"')],
  ])('is refused at %s, which is shown or needed to start', (path, text) => {
    for (const find of [ready, unreadable]) {
      const { problems } = readYaml(text, 'f.yaml', {}, find);
      expect(problems).toMatchObject([
        { path, message: expect.stringContaining('cannot refer to a secret') },
      ]);
    }
    expect(problemsIn(text).join()).toContain('write ${NAME} or ${file:/absolute/path} instead');
  });

  test('stands for the same value where an alias repeats it', () => {
    const text = upstream('api_key: &k "${secret:A}", headers: { x-a: *k }');
    expect(usesIn(text, unreadable).map(([path]) => path)).toEqual([
      'upstreams.other.api_key',
      'upstreams.other.headers.x-a',
    ]);
  });

  test('whose value does not fit counts as missing, and the value is not repeated', () => {
    const text = upstream('api_key: none, headers: { x-a: "${secret:A}" }');
    const find: FindSecret = () => ({ state: 'ready', value: new Secret(`${VALUE}\n`) });
    expect(settingsOf(text, {}, find)).toBeDefined();
    const { uses } = readYaml(text, 'f.yaml', {}, find);
    expect(uses[0]?.problem).toContain('is not valid: must be printable ASCII on one line');
    expect(inspect(uses)).not.toContain(VALUE);
    expect(uses[0]?.misfit('fine')).toBeNull();
    expect(uses[0]?.misfit('not\nfine')).toBe('must be printable ASCII on one line');
  });

  test('with a name that is not valid is a problem of its line', () => {
    expect(problemsIn(upstream('api_key: "${secret:1 A}"')).join()).toContain(
      'modelgate.yaml:4: upstreams.other.api_key: ${secret:1 A} does not name a secret; write up to 64 letters',
    );
    expect(readYaml('a: "${secret:-dflt} ${file:-no}"', 'f.yaml', {}).value).toEqual({
      a: 'dflt no',
    });
  });
});

/** Returns the settings with their secrets as plain text. */
function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revealed(each)]));
}

describe('a reference to a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelgate-references-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const at = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const read = (path: string) => readYaml(`a: "x \${file:${path}} y"`, 'f.yaml', {});

  test.each([
    ['value', 'value'],
    ['value\n', 'value'],
    ['value\r\n', 'value'],
    ['two\nlines\n\n', 'two\nlines\n'],
    ['${NOT_A_VARIABLE} ${secret:A}', '${NOT_A_VARIABLE} ${secret:A}'],
    [' ключ ', ' ключ '],
  ])('reads %j without its final line break, and expands nothing in it', (content, value) => {
    const { value: found, problems } = read(at('good', content));
    expect([found, problems]).toEqual([{ a: `x ${value} y` }, []]);
  });

  test('names the setting, the file and the remedy when it has no value', () => {
    const folderIn = join(folder, 'folder');
    mkdirSync(folderIn);
    const long = at('long', 'x'.repeat(64 * 1024 + 1));
    const empty = at('empty', '\n');
    const binary = at('binary', new Uint8Array([0x61, 0xff]));
    for (const [path, problem] of [
      [join(folder, 'missing'), 'does not exist; create it, or correct the path'],
      [join(empty, 'below'), 'does not exist; create it, or correct the path'],
      [folderIn, 'is not a file; write the path of a file'],
      ['/dev/zero', 'is not a file; write the path of a file'],
      [long, 'has 65537 bytes; a referenced file may have at most 65536'],
      [empty, 'is empty; write the value into it'],
      [binary, 'is not UTF-8 text; write the value as text'],
    ]) {
      const { problems, value } = read(path ?? '');
      expect(problems).toMatchObject([{ where: 'f.yaml:1', path: 'a' }]);
      expect(problems[0]?.message).toContain(`${path} ${problem}`);
      expect(value).toEqual({ a: 'x  y' });
    }
  });

  test('reports a file that this user may not read', () => {
    const path = at('closed', 'value');
    chmodSync(path, 0);
    const { problems, value } = read(path);
    // The root user can read every file, so for root this file causes no problem.
    const isAllowed = process.getuid?.() === 0;
    expect(problems.map(({ message }) => message)).toEqual(
      isAllowed
        ? []
        : [`the file ${path} cannot be read by this user; change its owner or its mode`],
    );
    expect(value).toEqual({ a: isAllowed ? 'x value y' : 'x  y' });
  });

  test('needs an absolute path', () => {
    expect(readYaml('a: "${file:secret.txt}"', 'f.yaml', {}).problems[0]?.message).toBe(
      '${file:secret.txt} is not a reference; write ${NAME}, ${NAME:-default}, ${file:/absolute/path} or ${secret:NAME}',
    );
  });
});

test('the keys of secrets have one source', () => {
  const settings = (given: string) => settingsOf(top(`secrets: { ${given} }`)).secrets;
  expect(settingsOf(SMALL_FILE).secrets).toEqual({ key_file: null, key: null, key_command: null });
  expect(settings('key_command: [pass, show, it]').key_command).toEqual(['pass', 'show', 'it']);
  expect(problemsIn(top('secrets: { key_file: /k, key: x }')).join()).toContain(
    'secrets.key: cannot be combined with key_file; remove one of the two',
  );
  expect(problemsIn(top('secrets: { key_command: [] }')).join()).toContain(
    'secrets.key_command: write a program and its arguments',
  );
});
