/**
 * Tests that an upstream has exactly one usable kind of credentials, and that credentials are never
 * printed.
 */

import { expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { finish } from './document/steps.ts';
import { changedFile, problemsIn, readYaml, settingsOf } from './file.fixture.ts';
import { sourceSteps } from './sources.ts';

const AT = 'base_url: "https://x.example"';
const withUpstream = (keys: string): string =>
  changedFile('upstreams: {', `upstreams: { net: { protocol: openai, ${keys} },`);
const problemsOf = (keys: string): readonly string[] =>
  problemsIn(withUpstream(keys)).map((line) => line.replace(/^[^ ]+ upstreams\.net\./, ''));

const AZURE = 'kind: azure, tenant_id: t, client_id: c, client_secret: hush-azure';
const AWS = 'kind: aws, region: r, access_key_id: hush-id, secret_access_key: hush-key';
const GOOGLE_KEY = JSON.stringify({
  client_email: 'hush@project.example',
  private_key: '-----BEGIN PRIVATE KEY-----\nhush-google\n-----END PRIVATE KEY-----\n',
});
const GOOGLE = `kind: google, credentials: ${JSON.stringify(GOOGLE_KEY)}`;

test.each([AZURE, AWS, GOOGLE])('accepts { %s }, and shows none of it', (signIn) => {
  const text = withUpstream(`${AT}, sign_in: { ${signIn} }`);
  expect(problemsIn(text)).toEqual([]);
  const shown = [settingsOf(text), ...finish(sourceSteps(readYaml(text, 'modelgate.yaml', {})))];
  expect(inspect(shown, { depth: 9 })).not.toContain('hush-');
  expect(JSON.stringify(shown)).not.toContain('hush-');
});

test.each([
  [
    AT,
    'api_key: is missing; write the API key, or "none" if the server needs no key, or set sign_in instead',
  ],
  [
    `${AT}, api_key: k, sign_in: { ${AZURE} }`,
    'sign_in: cannot be combined with api_key; remove one of the two',
  ],
  [
    `${AT}, sign_in: { ${AZURE}, authority: "http://10.0.0.1" }`,
    'sign_in.authority: is a private address; add allow_private: true if intended',
  ],
  [
    `${AT}, sign_in: { ${GOOGLE}, token_url: "http://127.0.0.1/token" }`,
    'sign_in.token_url: is a private address; add allow_private: true if intended',
  ],
  [
    `${AT}, sign_in: { kind: google, credentials: "not a key" }`,
    'sign_in.credentials: write the whole JSON text of a service account key',
  ],
  [
    `${AT}, sign_in: { kind: azure, tenant_id: "a/b", client_id: c, client_secret: s }`,
    'sign_in.tenant_id: write the id or the domain of the tenant',
  ],
])('refuses { %s }', (keys, problem) => {
  expect(problemsOf(keys)).toEqual([problem]);
});
