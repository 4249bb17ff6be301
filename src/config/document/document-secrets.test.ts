// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
import { expect, test } from 'bun:test';
import type { Document } from './document.ts';
import { plainSecrets, withoutSecrets, withSecretsOf } from './document-secrets.ts';

const upstream = (more: object): Document => ({
  upstreams: { net: { protocol: 'openai', base_url: 'https://x.example', ...more } },
  models: {},
});
const signIn = (credentials: string): Document =>
  upstream({ sign_in: { kind: 'google', credentials } });

test('hides every secret that is plain text, and nothing else', () => {
  for (const [document, shown] of [
    [upstream({ api_key: 'sk-1' }), upstream({ api_key: '***' })],
    [upstream({ api_key: 'none' }), upstream({ api_key: 'none' })],
    [upstream({ api_key: '${KEY}' }), upstream({ api_key: '${KEY}' })],
    [upstream({ api_key: '${secret:a}' }), upstream({ api_key: '${secret:a}' })],
    [upstream({ api_key: '${KEY:-sk-1}' }), upstream({ api_key: '***' })],
    [upstream({ api_key: 'sk-${KEY}' }), upstream({ api_key: '***' })],
    [upstream({ headers: { a: 'b', c: '${D}' } }), upstream({ headers: { a: '***', c: '${D}' } })],
    [signIn('{"private_key":"p"}'), signIn('***')],
    [
      upstream({ reconcile: { admin_key: 'sk-2', project: 'p' } }),
      upstream({ reconcile: { admin_key: '***', project: 'p' } }),
    ],
    [
      { payments: { stripe: { secret_key: 'sk', webhook_secret: 'wh', min: { USD: '1' } } } },
      { payments: { stripe: { secret_key: '***', webhook_secret: '***', min: { USD: '1' } } } },
    ],
    [{ alerts: { webhook_secret: 's' } }, { alerts: { webhook_secret: '***' } }],
    [{ console: { secret: 's' } }, { console: { secret: '***' } }],
    [
      { images: { store: 's3', secret_access_key: 's' } },
      { images: { store: 's3', secret_access_key: '***' } },
    ],
    [
      { nothing: { api_key: 1 }, upstreams: null },
      { nothing: { api_key: 1 }, upstreams: null },
    ],
  ] satisfies [Document, Document][]) {
    expect(withoutSecrets(document)).toEqual(shown);
    expect(withSecretsOf(document, shown)).toEqual({ document, unknown: [] });
  }
});

test('hides the secrets of a record whose kind is a reference or unknown', () => {
  for (const kind of ['${KIND:-openai}', 'no-kind', undefined]) {
    const record = { protocol: kind, api_key: 'sk-1', headers: { a: 'b' }, make: 'generic' };
    const google = { kind, credentials: '{}' };
    const aws = { kind, access_key_id: 'a', secret_access_key: 's' };
    const document: Document = {
      upstreams: { one: { ...record, sign_in: google }, two: { protocol: 'openai', sign_in: aws } },
      images: { store: kind, bucket: 'b', secret_access_key: 's' },
    };
    const shown = withoutSecrets(document);
    expect(shown).toEqual({
      upstreams: {
        one: {
          ...{ ...record, api_key: '***', headers: { a: '***' } },
          sign_in: { ...google, credentials: '***' },
        },
        two: {
          protocol: 'openai',
          sign_in: { kind, access_key_id: '***', secret_access_key: '***' },
        },
      },
      images: { store: kind, bucket: 'b', secret_access_key: '***' },
    });
    expect(plainSecrets(document)).toHaveLength(6);
    expect(withSecretsOf(document, shown)).toEqual({ document, unknown: [] });
  }
});

test('names each *** that stands for no stored secret', () => {
  const given = upstream({ api_key: '***', headers: { a: '***' }, make: '***' });
  expect(withSecretsOf(upstream({ headers: { a: 'kept' } }), given)).toEqual({
    document: upstream({ api_key: '***', headers: { a: 'kept' }, make: '***' }),
    unknown: [['upstreams', 'net', 'api_key']],
  });
});
