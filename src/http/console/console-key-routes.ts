/** Routes for the API keys of the person's account. Owners change all keys, members their own. */
import type { Accounts } from '../../accounts/accounts.ts';
import type { Keys } from '../../accounts/keys.ts';
import { isAtLeast, type Person } from '../../people/person.ts';
import { CREATED_KEY, KEY } from '../caller/account-body.ts';
import { createKey, keyRoutes, listKeys } from '../caller/keys/key-routes.ts';
import { NEW_OWN_KEY, OWN_KEYS_QUERY } from '../caller/keys/key-schemas.ts';
import { CREATED, page } from '../edge/answer-schema.ts';
import { checked, checkedQuery } from '../edge/request-schema.ts';
import { consoleRoute, type Route } from '../edge/route.ts';

export function consoleKeyRoutes(accounts: Accounts): readonly Route[] {
  return [
    consoleRoute(
      'GET /keys',
      'read_only',
      {
        summary: "List the account's API keys, oldest first",
        query: OWN_KEYS_QUERY,
        response: page(KEY),
      },
      ({ url, person }) => {
        const { query } = checkedQuery(OWN_KEYS_QUERY, url);
        return listKeys(accounts.keysOf(person.accountId), query);
      },
    ),
    consoleRoute(
      'POST /keys',
      'member',
      {
        summary: 'Create an API key; its secret is shown once',
        request: NEW_OWN_KEY,
        response: CREATED_KEY,
        statuses: [CREATED],
      },
      async (call) => {
        const { accountId, id } = call.person;
        const key = checked(NEW_OWN_KEY, await call.readJson());
        keysFor(accounts, call.person).requireGrantable(key.scopes ?? []);
        return await createKey(accounts, accountId, key, id);
      },
    ),
    ...keyRoutes((at, changes, doc, handle) => [
      consoleRoute(at, changes ? 'member' : 'read_only', doc, (call) =>
        handle({ keys: keysFor(accounts, call.person), actor: call.person.id }, call),
      ),
    ]),
  ];
}

/** Returns the keys that a person can change: owners all keys of the account, others their own. */
const keysFor = (accounts: Accounts, { accountId, id, role }: Person): Keys =>
  accounts.keysOf(accountId, isAtLeast(role, 'owner') ? null : id);
