/** Routes for keys with the scope `manage`, which change all API keys of their account. */
import type { Accounts } from '../../../accounts/accounts.ts';
import { CREATED, page } from '../../edge/answer-schema.ts';
import { checked, checkedQuery } from '../../edge/request-schema.ts';
import { callerRoutes, type Route } from '../../edge/route.ts';
import { CREATED_KEY, KEY } from '../account-body.ts';
import { createKey, keyRoutes, listKeys } from './key-routes.ts';
import { NEW_OWN_KEY, OWN_KEYS_QUERY } from './key-schemas.ts';

export function managingRoutes(accounts: Accounts): readonly Route[] {
  return [
    ...callerRoutes(
      'GET /keys',
      'manage',
      {
        summary: "List the account's API keys, oldest first",
        query: OWN_KEYS_QUERY,
        response: page(KEY),
      },
      ({ url, caller }) => {
        const { query } = checkedQuery(OWN_KEYS_QUERY, url);
        return listKeys(accounts.keysOf(caller.accountId), query);
      },
    ),
    ...callerRoutes(
      'POST /keys',
      'manage',
      {
        summary: 'Create an API key; its secret is shown once',
        request: NEW_OWN_KEY,
        response: CREATED_KEY,
        statuses: [CREATED],
      },
      async (call) => {
        const { accountId, keyId } = call.caller;
        return await createKey(
          accounts,
          accountId,
          checked(NEW_OWN_KEY, await call.readJson()),
          keyId,
        );
      },
    ),
    ...keyRoutes((at, _changes, doc, handle) =>
      callerRoutes(at, 'manage', doc, (call) => {
        const { accountId, keyId } = call.caller;
        return handle({ keys: accounts.keysOf(accountId), actor: keyId }, call);
      }),
    ),
  ];
}
