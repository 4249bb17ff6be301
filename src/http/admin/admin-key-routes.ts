/** Routes for the API keys of one account or of all accounts, for administrators. */
import * as z from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import { CREATED_KEY, KEY } from '../caller/account-body.ts';
import { createKey, keyRoutes, listKeys } from '../caller/keys/key-routes.ts';
import { NEW_OWN_KEY, OWN_KEYS_QUERY } from '../caller/keys/key-schemas.ts';
import { CREATED, page } from '../edge/answer-schema.ts';
import { checked, checkedQuery, id } from '../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../edge/route.ts';

const KEYS_QUERY = OWN_KEYS_QUERY.extend({ account_id: id.optional() });
const NEW_KEY = z.strictObject({ account_id: id, ...NEW_OWN_KEY.shape });

export function adminKeyRoutes(accounts: Accounts): readonly Route[] {
  return [
    adminRoute(
      'GET /keys',
      {
        summary: 'List the API keys of one or all accounts',
        query: KEYS_QUERY,
        response: page(KEY),
      },
      (call) => list(accounts, call),
    ),
    adminRoute(
      'POST /keys',
      {
        summary: 'Create an API key; its secret is shown once',
        request: NEW_KEY,
        response: CREATED_KEY,
        statuses: [CREATED],
      },
      async (call) => {
        const { account_id, ...key } = checked(NEW_KEY, await call.readJson());
        return await createKey(accounts, account_id, key, call.actor);
      },
    ),
    ...keyRoutes((at, _changes, doc, handle) => [
      adminRoute(at, doc, (call) =>
        handle({ keys: accounts.keysOf(null), actor: call.actor }, call),
      ),
    ]),
  ];
}

async function list(accounts: Accounts, { url }: AdminCall): Promise<Response> {
  const { query } = checkedQuery(KEYS_QUERY, url);
  const accountId = query.account_id ?? null;
  // Throws for an unknown account. Without this check, it would look like an account without keys.
  if (accountId !== null) await accounts.getAccount(accountId);
  return await listKeys(accounts.keysOf(accountId), query);
}
