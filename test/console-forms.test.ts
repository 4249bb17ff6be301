/**
 * Tests that the console's form fields have the same limits as the API. A field with a larger limit
 * would lose typed text, and a field with a smaller limit would refuse values that the API accepts.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiDocument } from '../console/api-document.ts';
import { fieldProblem } from '../console/src/components/forms/field-problem.ts';
import { EMPTY_KEY_FORM, type KeyForm, keyFormProblems } from '../console/src/keys/key-form.ts';

const SOURCES = join(import.meta.dir, '../console/src');
const FIELD = /getInputProps\('(?<name>[^']+)'/g;

/**
 * Maps each file with form fields to the API operation that receives the fields. A key `FILE FIELD`
 * overrides the operation for one field of the file. Null means that no operation receives the
 * fields, because the console computes other values from them.
 */
const FORMS: Readonly<Record<string, string | null>> = {
  'components/sign-in/password-proof.tsx': 'post /console/api/profile/totp',
  'components/sign-in/totp-setup.tsx': 'post /console/api/profile/totp/confirm',
  'keys/key-fields.tsx': 'post /console/api/keys',
  'people/invite-dialog.tsx': 'post /admin/v1/invitations',
  'people/person-dialogs.tsx': 'patch /admin/v1/people/{id}',
  'screens/account/billing/card-top-up.tsx': 'post /console/api/top-ups',
  'screens/account/billing/redeem-form.tsx': 'post /console/api/redeem',
  'screens/account/billing/alerts/webhook-card.tsx': 'put /console/api/alerts/webhook',
  'screens/admin/account-screen.tsx': 'patch /admin/v1/accounts/{id}',
  'screens/admin/branding/branding-form.tsx': null,
  'screens/admin/accounts-screen.tsx': 'post /admin/v1/accounts',
  'screens/admin/accounts/account-requests.tsx': 'post /admin/v1/requests/{id}/refund',
  'screens/admin/accounts/wallets-tab.tsx': 'post /admin/v1/accounts/{id}/credits',
  'screens/admin/channels/route-state-dialog.tsx': 'post /admin/v1/upstreams/{name}/state',
  'screens/admin/channels/weight-dialog.tsx': null,
  'screens/admin/money-fields.tsx': 'post /admin/v1/accounts/{id}/credits',
  'screens/admin/notices/notice-dialogs.tsx': 'post /admin/v1/notices/{id}/updates',
  'screens/admin/notices/notice-fields.tsx': 'post /admin/v1/notices',
  'screens/admin/notices/notice-fields.tsx affects': null,
  'screens/admin/price-lists/price-list-dialogs.tsx': null,
  'screens/admin/prices/factor-fields.tsx': null,
  'screens/admin/prices/public-prices-tab.tsx': 'post /admin/v1/config/prices/compare',
  'screens/admin/prices/public-prices-tab.tsx from': null,
  'screens/admin/prices/public-prices-tab.tsx text': null,
  'screens/admin/prices/start-fields.tsx': null,
  'screens/admin/records/channel-dialog.tsx': null,
  'screens/admin/redeem-codes/new-batch-dialog.tsx': 'post /admin/v1/redeem-batches',
  'screens/admin/secrets/secret-form.tsx': 'put /admin/v1/secrets/{name}',
  'screens/admin/secrets/secret-form.tsx name': null,
  'screens/settings/profile/passkeys-card.tsx': 'patch /console/api/profile/passkeys/{id}',
  'screens/settings/profile-screen.tsx': 'post /console/api/profile/password',
  'screens/settings/profile-screen.tsx name': 'patch /console/api/profile',
  'screens/sign-in/code-step.tsx': 'post /console/api/sign-in/totp',
  'screens/sign-in/registration-form.tsx': 'post /console/api/setup',
  'screens/sign-in/reset-screen.tsx': 'post /console/api/password-reset',
  'screens/sign-in/sign-in-screen.tsx': 'post /console/api/sign-in',
  'shell/sign-in-again.tsx': 'post /console/api/sign-in',
  'shell/sign-in-again.tsx code': 'post /console/api/sign-in/totp',
  'screens/admin/mail-screen.tsx': 'post /admin/v1/mail/test',
  'screens/sign-in/mail-form.tsx': 'post /console/api/password-reset/mail',
};
/** Matches components that limit their own values. The tests skip these components. */
const CHECKED =
  /^<(?:NewPasswordInput|TotpInput|DayInput|Select|RoleSelect|MultiSelect|TagsInput|Radio)/;

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};

let document: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  document = await apiDocument();
});

const at = (path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], document);

function whole(schema: Schema): Schema {
  if (schema.$ref !== undefined) return whole(Object(at(schema.$ref.slice(2).split('/'))));
  const [first] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return first === undefined ? schema : whole(first);
}

/**
 * Returns the schema of a field in the request body of an operation.
 * @throws Error when the body has no such field.
 */
function schemaOf(operation: string, field: string): Schema {
  const [method = '', path = ''] = operation.split(' ');
  const body = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  let schema = whole(Object(at(body)));
  for (const name of field.split('.')) {
    const inner = schema.properties?.[name];
    if (inner === undefined) throw new Error(`${operation} has no field ${field}`);
    schema = whole(inner);
  }
  return schema;
}

type Field = { readonly file: string; readonly name: string; readonly element: string };

const fields: readonly Field[] = [...new Bun.Glob('**/*.tsx').scanSync(SOURCES)]
  .toSorted()
  .flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    return [...text.matchAll(FIELD)].map(({ groups = {}, index }) => ({
      file,
      name: groups['name'] ?? '',
      element: text.slice(text.lastIndexOf('<', index), text.indexOf('/>', index)),
    }));
  });

test('every form is in the table', () => {
  expect(fields.length).toBeGreaterThan(35);
  const files = new Set(fields.map(({ file }) => file));
  expect(new Set(Object.keys(FORMS).map((form) => form.split(' ')[0]))).toEqual(files);
});

const operationOf = ({ file, name }: Field): string | null =>
  [FORMS[`${file} ${name}`], FORMS[file]].find((each) => each !== undefined) ?? null;
const sent = fields.flatMap((field) => {
  const operation = operationOf(field);
  return operation === null ? [] : [{ ...field, operation }];
});

describe.each(sent.map((field) => [`${field.file} ${field.name}`, field] as const))(
  '%s',
  (_form, { file, name, element, operation }) => {
    test('has the limits of the API', () => {
      const schema = schemaOf(operation, name);
      if (CHECKED.test(element)) return;
      const number = (attribute: string): number | undefined => {
        const value = new RegExp(`\\b${attribute}=\\{(\\w+)\\}`).exec(element)?.[1];
        if (value === undefined) return undefined;
        const source = readFileSync(join(SOURCES, file), 'utf8');
        const imported = new RegExp(`\\b${value}\\b[^;]* from '(\\./[^']+)'`).exec(source)?.[1];
        const owner = imported === undefined ? file : join(dirname(file), imported);
        const text = readFileSync(join(SOURCES, owner), 'utf8');
        const constant = new RegExp(`const ${value} = (\\w+);`).exec(text)?.[1];
        return Number((constant ?? value).replaceAll('_', ''));
      };
      expect({
        maxLength: number('maxLength'),
        minimum: number('min'),
        maximum: number('max'),
      }).toEqual({
        maxLength: schema.maxLength,
        minimum: schema.minimum,
        maximum: schema.maximum,
      });
    });
  },
);

test('the counts of a key form are those of the API', () => {
  for (const name of ['requests_per_minute', 'tokens_per_minute', 'concurrency'] as const) {
    const { minimum = Number.NaN, maximum = Number.NaN } = schemaOf(
      'post /console/api/keys',
      `limits.${name}`,
    );
    const problemOf = (count: number) => {
      const limits = { ...EMPTY_KEY_FORM.limits, [name]: String(count) };
      const form: KeyForm = { ...EMPTY_KEY_FORM, name: 'a', limits };
      return keyFormProblems(form, EMPTY_KEY_FORM, '2026-11-21')[`limits.${name}`];
    };
    const found = [minimum - 1, minimum, maximum, maximum + 1].map(problemOf);
    expect([name, found]).toEqual([name, ['notCount', undefined, undefined, 'notCount']]);
  }
});

/**
 * Matches error messages of the API about values that a person cannot enter in the console's forms.
 */
const NOT_TYPED =
  /must be (?:true or false|text$|the (?:text of a file|token|id of)|`next`|one of \$|a list of (?:channels|one or more)|sse|\$)|must map|leave it out|1,000,000|a channel or both|base64url|bcrypt|visible ASCII/;

test('what the API says of a field has a text in the language of the page', () => {
  const files = [...new Bun.Glob('src/http/{admin,caller,console,edge}/**/*.ts').scanSync()];
  const sentences = files
    .filter((file) => !/\.(?:test|fixture)\.ts$|caller\/(?:reports|images|status)/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:[A-Z]{2,} =|error(?::| =))\s+(['`])(?<text>must.*?)\1[;,]/g,
      ),
    ])
    .map(({ groups }) => (groups?.['text'] ?? '').replaceAll(/\$\{MA?[XI]\w*\}|\$\{max\}/g, '7'))
    .filter((sentence) => !NOT_TYPED.test(sentence));
  expect(sentences.length).toBeGreaterThan(15);
  expect(sentences.filter((sentence) => fieldProblem(`name ${sentence}.`) === null)).toEqual([]);
});

test('a wallet that has too little money says how much is possible', () => {
  const file = readFileSync('src/http/admin/admin-money-routes.ts', 'utf8');
  const sentences = [...file.matchAll(/`(?<text>amount .*\$\{available\}.*)`/g)].map(
    ({ groups }) => groups?.['text']?.replace(/\$\{available\}/, '3.50 CNY') ?? '',
  );
  expect(sentences.map((sentence) => fieldProblem(sentence))).toEqual(
    (['debit', 'buy', 'lower', 'refund'] as const).map((key) => ({
      key,
      values: { a: '3.50 CNY', b: '' },
    })),
  );
});

test('the text has the bounds of the API', () => {
  expect(fieldProblem('reason must be text of 1 to 500 characters.')).toEqual({
    key: 'length',
    values: { a: '1', b: '500' },
  });
  expect(
    fieldProblem('expires_at must be a time such as "2027-01-31T00:00:00Z", or null for never.')
      ?.key,
  ).toBe('time');
  expect(
    fieldProblem('from must be a date such as 2026-11-01 or a time such as 2026-11-01T12:00:00Z.')
      ?.key,
  ).toBe('time');
  expect(fieldProblem('base_url is a private address. Set allow_private to true.')?.key).toBe(
    'private',
  );
  expect(fieldProblem('date must be a date (UTC) such as 2026-11-01.')?.key).toBe('day');
  expect(fieldProblem('protocol must be openai or anthropic.')?.values['a']).toBe(
    'openai or anthropic',
  );
});
