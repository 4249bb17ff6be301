import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { definedTexts } from '#i18n/texts.ts';
import { loadConfig } from '../../../../../src/config/config.ts';
import {
  type RecordSection,
  recordFields,
  type SettingField as ServerField,
  settingFields,
} from '../../../../../src/config/document/setting-fields.ts';
import type { SettingField } from './config-queries.ts';
import { recordHelp, recordNames } from './record-names.ts';
import {
  isOffered,
  openEdits,
  patchOf,
  pathOf,
  typedList,
  typedValue,
  withEdit,
} from './setting-edits.ts';
import { choiceTexts, settingHelp } from './setting-help.ts';
import { settingTexts } from './setting-names.ts';

type Values = Readonly<Record<string, SettingField['value']>>;

/** Returns the fields as the server describes them, with the given values. */
const fieldsWith = (values: Values, fields: readonly ServerField[] = settingFields()) =>
  fields.map(
    ({
      keys,
      type,
      default: preset,
      minimum,
      maximum,
      choices,
      required,
      onlyIf,
    }): SettingField => ({
      keys: [...keys],
      type,
      value: values[keys.join('.')] ?? null,
      default: preset,
      minimum,
      maximum,
      choices: [...choices],
      required,
      only_if: onlyIf === null ? null : { keys: [...onlyIf.keys], value: onlyIf.value },
      needs_restart: false,
      awaits_restart: false,
    }),
  );
const edited = (...edits: readonly (readonly [string, SettingField['value']])[]) => new Map(edits);

test('every setting has a name and says what it does, in both languages', () => {
  const tableOf = ({ namespace }: { readonly namespace: string }) =>
    definedTexts().find((each) => each.namespace === namespace)?.texts;
  const paths = settingFields().map(({ keys }) => keys.join('.'));
  expect(paths.length).toBeGreaterThan(40);
  const choices = settingFields().flatMap((field) => field.choices);
  for (const [texts, wanted] of [
    [settingTexts, paths],
    [settingHelp, paths],
    [choiceTexts, choices],
  ] as const) {
    const table = tableOf(texts);
    expect(wanted.filter((key) => !(table?.en[key] && table.zh[key]))).toEqual([]);
  }
  const helped = Object.keys(tableOf(settingHelp)?.en ?? {});
  expect(helped.filter((path) => !paths.includes(path))).toEqual([]);
});

test('every setting in force has a name, except those of upstreams and models', () => {
  const path = join(import.meta.dir, '../../../../../modelgate.yaml');
  const { sources } = loadConfig({ path, env: {} });
  const names = definedTexts().find(({ namespace }) => namespace === settingTexts.namespace)?.texts;
  const paths = [...sources.keys()].filter((path) => !/^(?:upstreams|models)\./.test(path));
  expect(paths.length).toBeGreaterThan(90);
  expect(paths.filter((path) => !names?.en[path])).toEqual([]);
});

/**
 * Returns the paths of all settings of an upstream or a model, such as `upstreams.base_url`. A path
 * contains the section, but not the name of the upstream or model.
 */
const pathsOf = (section: RecordSection, ...values: readonly object[]): readonly string[] =>
  values.flatMap((value) =>
    recordFields(section, 'x', value).map(({ keys }) => keys.toSpliced(1, 1).join('.')),
  );

test('every setting of an upstream and a model has a name, and each help text has its setting', () => {
  const wanted = new Set([
    ...pathsOf('upstreams', { protocol: 'openai' }, { protocol: 'builtin' }),
    ...pathsOf('models', { kind: 'chat' }, { kind: 'image' }),
    ...pathsOf('models', { kind: 'embedding', description: { en: 'a', zh: 'b' } }),
  ]);
  expect(wanted.size).toBeGreaterThan(80);
  const keysOf = ({ namespace }: { readonly namespace: string }) => {
    const texts = definedTexts().find((each) => each.namespace === namespace)?.texts;
    expect(Object.keys(texts?.zh ?? {})).toEqual(Object.keys(texts?.en ?? {}));
    return Object.keys(texts?.en ?? {});
  };
  expect(keysOf(recordNames).toSorted()).toEqual([...wanted].toSorted());
  expect(keysOf(recordHelp).filter((path) => !wanted.has(path))).toEqual([]);
});

const upstreamWith = (values: Values) =>
  fieldsWith(
    Object.fromEntries(
      Object.entries(values).map(([path, value]) => [`upstreams.a.${path}`, value]),
    ),
    recordFields('upstreams', 'a', { protocol: 'openai' }),
  );
const patchOfUpstream = (values: Values, edits: Values): unknown =>
  Object(
    patchOf(
      upstreamWith(values),
      edited(...Object.entries(edits).map(([path, to]) => [`upstreams.a.${path}`, to] as const)),
    )['upstreams'],
  ).a;

test('resetting the last field of a record does not remove the record', () => {
  const fields = fieldsWith(
    { 'upstreams.demo.tokens_per_second': 50 },
    recordFields('upstreams', 'demo', { protocol: 'builtin' }),
  );
  expect(patchOf(fields, edited(['upstreams.demo.tokens_per_second', null]))).toEqual({
    upstreams: { demo: { tokens_per_second: null } },
  });
});

test('a map is replaced entry by entry, and other text is sent as it is', () => {
  const values = { base_url: 'https://a.example', headers: '{"x-one":"***","x-two":"***"}' };
  const patch = (headers: string) => patchOfUpstream(values, { headers });
  expect(patch('{"x-one":"***","x-new":"1"}')).toEqual({
    headers: { 'x-one': '***', 'x-two': null, 'x-new': '1' },
  });
  expect(patch('x-one')).toEqual({ headers: 'x-one' });
  expect(patchOfUpstream(values, { headers: null })).toEqual({ headers: null });
});

test('another kind of cloud sign-in removes the fields of the previous kind', () => {
  const values = {
    'sign_in.kind': 'google',
    'sign_in.credentials': '***',
    'sign_in.scope': 'mine',
  };
  const azure = { 'sign_in.kind': 'azure', 'sign_in.tenant_id': 't' };
  // Both kinds of sign-in have a scope, so the patch does not remove the scope.
  expect(patchOfUpstream(values, azure)).toEqual({
    sign_in: { kind: 'azure', tenant_id: 't', credentials: null },
  });
  expect(patchOfUpstream(values, { 'sign_in.kind': null })).toEqual({ sign_in: null });
});

test('an edit back to the saved value does not count as a change', () => {
  const [field] = fieldsWith({ 'images.store': 's3' });
  if (field === undefined) throw new Error('there are no fields');
  const changed = withEdit(new Map(), field, 'local');
  expect([...changed]).toEqual([['images.store', 'local']]);
  expect(withEdit(changed, field, 's3').size).toBe(0);
  const list = { ...field, value: ['a', 'b'] };
  expect(withEdit(new Map(), list, ['a', 'b']).size).toBe(0);
  expect(typedList([' a ', 'a', ''])).toEqual(['a']);
  expect(openEdits([{ ...field, value: 'local' }], changed).size).toBe(0);
});

test('a typed whole number is a number, nothing is the default, and all else stays text', () => {
  expect(typedValue({ type: 'integer' }, ' 20 ')).toBe(20);
  expect(typedValue({ type: 'integer' }, '2e1')).toBe('2e1');
  expect(typedValue({ type: 'decimal' }, '7.10')).toBe('7.10');
  expect(typedValue({ type: 'duration' }, '  ')).toBeNull();
});

test('a reset removes the key, and the group with the last of its keys', () => {
  const fields = fieldsWith({ 'limits.drain': '20s', 'chat.stream_default': 'never' });
  const edits = edited(['limits.drain', null], ['limits.keep_alive', '5s']);
  expect(patchOf(fields, edits)).toEqual({ limits: { keep_alive: '5s', drain: null } });
  expect(patchOf(fields, edited(['limits.drain', null]))).toEqual({ limits: null });
});

test('payments that are cleared are removed as a whole', () => {
  const paths = ['secret_key', 'webhook_secret', 'max.USD'].map((key) => `payments.stripe.${key}`);
  const fields = fieldsWith(Object.fromEntries(paths.map((path) => [path, 'x'])));
  const some = paths.slice(1).map((path) => [path, null] as const);
  expect(patchOf(fields, edited(...some))).toEqual({
    payments: { stripe: { webhook_secret: null, max: null } },
  });
  const all = paths.map((path) => [path, null] as const);
  expect(patchOf(fields, edited(...all))).toEqual({ payments: null });
});

test('settings of a store that is no longer chosen are removed with the choice', () => {
  const fields = fieldsWith({ 'images.store': 's3', 'images.bucket': 'b', 'images.url_ttl': '5m' });
  const edits = edited(['images.store', 'local']);
  expect(patchOf(fields, edits)).toEqual({ images: { store: 'local', bucket: null } });
  const offered = (given: typeof edits): readonly string[] =>
    fields.filter((field) => isOffered(field, fields, given)).map(pathOf);
  expect(offered(edited())).toContain('images.bucket');
  expect(offered(edits)).not.toContain('images.bucket');
});
