/** Routes for the API keys of the person's account. Owners change all keys, members their own. */
import type { Accounts } from '../../accounts/accounts.ts';
import { isAtLeast } from '../../people/person.ts';
import { CREATED_KEY, KEY } from '../caller/account-body.ts';
import { createKey, keyRoutes, listKeys } from '../caller/key-routes.ts';
import { NEW_OWN_KEY } from '../caller/key-schemas.ts';
import { CREATED, page } from '../edge/answer-schema.ts';
import { checked, checkedQuery, PAGE_QUERY, pageOf } from '../edge/request-schema.ts';
import { consoleRoute, type Route } from '../edge/route.ts';

export function consoleKeyRoutes(accounts: Accounts): readonly Route[] {
  return [
    consoleRoute(
      'GET /keys',
      'read_only',
      { summary: "The account's API keys, oldest first", query: PAGE_QUERY, response: page(KEY) },
      ({ url, person }) => {
        const { query } = checkedQuery(PAGE_QUERY, url);
        return listKeys(accounts.keysOf(person.accountId), pageOf(query));
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
        return await createKey(accounts, accountId, key, id);
      },
    ),
    ...keyRoutes((at, changes, doc, handle) =>
      consoleRoute(at, changes ? 'member' : 'read_only', doc, (call) => {
        const { accountId, id, role } = call.person;
        const creatorId = isAtLeast(role, 'owner') ? null : id;
        return handle({ keys: accounts.keysOf(accountId, creatorId), actor: id }, call);
      }),
    ),
  ];
}
