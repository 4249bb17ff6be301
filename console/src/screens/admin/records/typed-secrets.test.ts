// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how settings refer to a secret.
import { expect, test } from 'bun:test';
import type { SettingField } from '#screens/admin/settings/config-queries.ts';
import { recordFields } from '../../../../../src/config/document/setting-fields.ts';
import { referring } from './typed-secrets.ts';

const FIELDS = recordFields('upstreams', 'acme', { protocol: 'openai' }).map(
  ({ keys, type, ...field }): SettingField => ({
    ...{ ...field, keys: [...keys], choices: [...field.choices] },
    ...{ type, value: null, only_if: null, needs_restart: false, awaits_restart: false },
  }),
);
const edit = (path: string, value: string, taken: readonly string[] = []) =>
  referring(FIELDS, new Map([[`upstreams.acme.${path}`, value]]), new Set(taken));

test('a typed key becomes a new secret, and the replaced secret stays', () => {
  expect(edit('api_key', 'sk-new', ['acme.api_key'])).toEqual({
    edits: new Map([['upstreams.acme.api_key', '${secret:acme.api_key-2}']]),
    secrets: [{ name: 'acme.api_key-2', value: 'sk-new' }],
  });
  expect(edit('sign_in.client_secret', 's').secrets).toEqual([
    { name: 'acme.client_secret', value: 's' },
  ]);
});

test('references, `none` and settings that are not secrets stay as typed', () => {
  for (const [path, value] of [
    ['api_key', '${secret:shared}'],
    ['api_key', '${ACME_KEY}'],
    ['api_key', 'none'],
    ['base_url', 'https://acme.example'],
  ] as const) {
    expect(edit(path, value)).toEqual({
      edits: new Map([[`upstreams.acme.${path}`, value]]),
      secrets: [],
    });
  }
});
