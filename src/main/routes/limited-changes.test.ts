import { expect, test } from 'bun:test';
import { MAX_CHANGED_BYTES } from '../../accounts/limits/change-limit.ts';
import { NO_LIMITS } from '../../accounts/limits/limits.ts';
import { scopeBits } from '../../accounts/scopes.ts';
import { manualClock } from '../../clock.fixture.ts';
import { edgeOf } from '../../http/edge/edge.fixture.ts';
import type { Route } from '../../http/edge/route.ts';
import type { Person } from '../../people/person.ts';
import { limitedChanges } from './limited-changes.ts';

const BODY_BYTES = 64 * 1024;
/** The number of changes with such a body that fit into the limit of a day. */
const CHANGES = Math.floor(MAX_CHANGED_BYTES / (BODY_BYTES + 1024));

function changing() {
  const clock = manualClock();
  const common = { dialect: 'openai', doc: { summary: 'Change', tag: 'console' } } as const;
  const handle = async (): Promise<Response> => Response.json({});
  const routes: readonly Route[] = [
    {
      ...common,
      method: 'PATCH',
      path: '/console/api/keys',
      auth: 'session',
      role: 'member',
      handle,
    },
    {
      ...common,
      method: 'GET',
      path: '/console/api/keys',
      auth: 'session',
      role: 'member',
      handle,
    },
    { ...common, method: 'PATCH', path: '/v1/keys', auth: 'key', scope: 'manage', handle },
  ];
  const edge = edgeOf(limitedChanges(routes, clock), {
    signedIn: async (headers) => {
      const id = headers.get('x-who') ?? '';
      return { id, email: `${id}@x`, name: id, role: 'owner', accountId: 'acc_1' } as Person;
    },
    authenticate: async (headers) => ({
      ...{ accountId: headers.get('x-who') ?? '', keyId: 'key_1', keyName: 'k' },
      ...{ allowExchange: true, priceList: null, limits: { key: NO_LIMITS, account: NO_LIMITS } },
      scopes: scopeBits(['manage']),
    }),
  });
  const send = (who: string, path: string, method = 'PATCH') =>
    edge.fetch(
      new Request(`http://gateway${path}`, {
        method,
        headers: { 'x-who': who, ...(path.startsWith('/v1') ? { authorization: 'Bearer k' } : {}) },
        ...(method === 'GET' ? {} : { body: 'x'.repeat(BODY_BYTES) }),
      }),
    );
  return { clock, send };
}

for (const path of ['/console/api/keys', '/v1/keys']) {
  test(`limits the changes of one owner in a day at ${path}`, async () => {
    const { clock, send } = changing();
    for (let each = 0; each < CHANGES; each++) {
      expect((await send('one', path)).status).toBe(200);
    }
    const refused = await send('one', path);
    expect(refused.status).toBe(429);
    expect((await send('other', path)).status).toBe(200);
    expect((await send('one', '/console/api/keys', 'GET')).status).toBe(200);
    clock.advance(Number(refused.headers.get('retry-after')) * 1000);
    expect((await send('one', path)).status).toBe(200);
    expect((await send('one', path)).status).toBe(429);
  });
}
