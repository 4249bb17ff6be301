import { expect, test } from 'bun:test';
import { definedTexts } from '#i18n/texts.ts';
import { SETTING_FIELDS } from '../../../../../src/config/document/setting-fields.ts';
import type { SettingField } from './config-queries.ts';
import { isOffered, openEdits, patchOf, pathOf, typedValue, withEdit } from './setting-edits.ts';
import { choiceTexts, settingHelp } from './setting-help.ts';
import { settingTexts } from './setting-names.ts';

/** The fields of the server, with these values. */
const fieldsWith = (values: Readonly<Record<string, SettingField['value']>>) =>
  SETTING_FIELDS.map(
    ({ keys, type, default: preset, minimum, maximum, choices, onlyIf }): SettingField => ({
      keys: [...keys],
      type,
      value: values[keys.join('.')] ?? null,
      default: preset,
      minimum,
      maximum,
      choices: [...choices],
      only_if: onlyIf === null ? null : { keys: [...onlyIf.keys], value: onlyIf.value },
      needs_restart: false,
      awaits_restart: false,
    }),
  );
const edited = (...edits: readonly (readonly [string, SettingField['value']])[]) => new Map(edits);

test('every setting has a name and says what it does, in both languages', () => {
  const tableOf = ({ namespace }: { readonly namespace: string }) =>
    definedTexts().find((each) => each.namespace === namespace)?.texts;
  const paths = SETTING_FIELDS.map(({ keys }) => keys.join('.'));
  expect(paths.length).toBeGreaterThan(40);
  const choices = SETTING_FIELDS.flatMap((field) => field.choices);
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

test('an edit back to the value of the gateway does not count', () => {
  const [field] = fieldsWith({ 'images.store': 's3' });
  if (field === undefined) throw new Error('there are no fields');
  const changed = withEdit(new Map(), field, 'local');
  expect([...changed]).toEqual([['images.store', 'local']]);
  expect(withEdit(changed, field, 's3').size).toBe(0);
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
