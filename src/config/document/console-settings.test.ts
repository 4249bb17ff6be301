/** Tests which settings of the identity provider are valid and which are refused. */
import { expect, test } from 'bun:test';
import { problemsIn, SMALL_FILE, settingsOf } from '../file.fixture.ts';

const GIVEN = {
  issuer: '"https://sso.example"',
  client_id: 'c',
  client_secret: 's',
  email_domains: '"Example.com, example.org"',
};
const fileWith = (more: Readonly<Record<string, string>>, beside = ''): string => {
  const keys = Object.entries({ ...GIVEN, ...more }).map((pair) => pair.join(': '));
  return `${SMALL_FILE}console: { ${beside}oidc: { ${keys.join(', ')} } }\n`;
};

test('reads domains, scopes and the values of roles as lists in one text', () => {
  const roles = '{ administrator: "ops, /infra/on call", owner: leads }';
  const { oidc } = settingsOf(fileWith({ role_claim: 'groups', roles })).console;
  expect(oidc).toMatchObject({
    name: 'SSO',
    scopes: 'openid email profile',
    email_domains: ['example.com', 'example.org'],
    new_people: 'refuse',
    roles: { administrator: ['ops', '/infra/on call'], owner: ['leads'], member: null },
    default_role: 'member',
  });
  expect(settingsOf(SMALL_FILE).console).toMatchObject({ password_sign_in: true, passkeys: true });
});

test.each([
  [{ issuer: '"http://sso.example"' }, 'oidc.issuer: must be an https address'],
  [
    { issuer: '"https://10.0.0.1"' },
    'oidc.issuer: is a private address; add allow_private: true if intended',
  ],
  [{ scopes: 'email' }, 'oidc.scopes: write scopes such as openid email profile'],
  [
    { email_domains: '"@example.com"' },
    'oidc.email_domains: write at most 100 domains, such as example.com, example.org',
  ],
  [
    { new_people: 'account' },
    'oidc.account_id: is missing: `new_people: account` needs the account that new people join',
  ],
  [
    { roles: '{ owner: leads }' },
    'oidc.role_claim: is missing: `roles` needs the name of the claim that has these values',
  ],
])('refuses %p', (more, problem) => {
  const found = problemsIn(fileWith(more)).map((line) => line.replace(/^[^ ]+ console\./, ''));
  expect(found).toEqual([problem]);
});

test('refuses to turn passwords off where nobody could sign in then', () => {
  expect(problemsIn(`${SMALL_FILE}console: { password_sign_in: false }\n`).join()).toContain(
    'console.password_sign_in: is false, but there is no oidc: nobody could sign in',
  );
  expect(problemsIn(fileWith({}, 'password_sign_in: false, '))).toEqual([]);
});
