/** Connects price lists with the accounts that are on them. */
import type { Accounts } from '../accounts/accounts.ts';
import { missingLists } from '../accounts/accounts-on-lists.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/problem.ts';
import { asGatewayError } from '../errors.ts';
import type { CallersLists } from '../http/caller/catalogue-routes.ts';
import type { SqlExecutor } from '../store/sql.ts';
import type { GatewayDeps } from './gateway-deps.ts';

/** Finds the price lists by which callers and signed-in people see the catalogue. */
export const priceListsIn = (
  accounts: Pick<Accounts, 'authenticateRequest' | 'getAccount'>,
): CallersLists => ({
  ofKey: async ({ request, address }) => {
    try {
      return (await accounts.authenticateRequest(request.headers, address)).priceList;
    } catch (thrown) {
      // Anybody may read the public prices. If the store fails, the caller's prices are unknown.
      if (asGatewayError(thrown).status >= 500) throw thrown;
      return null;
    }
  },
  ofAccount: async (id) => (await accounts.getAccount(id)).priceList,
});

/**
 * Refuses a file without a price list that accounts are on: they would pay other prices. A revision
 * of the database was checked before it was stored. If an account was put on a list while the list
 * was removed, refusing would stop all nodes, so only that account's requests are refused.
 * @throws ConfigError naming each such list and how many accounts are on it.
 */
export async function requireLists(
  sql: Pick<SqlExecutor, 'query'>,
  { lists, file, revision }: Pick<Config, 'lists' | 'file' | 'revision'>,
  log: Pick<GatewayDeps['log'], 'error'>,
): Promise<void> {
  const missing = await missingLists(sql, lists);
  if (missing.length === 0) return;
  const problems = missing.map(({ list, message }) => ({
    ...{ where: file, path: `price_lists.${list}`, message },
  }));
  if (revision === null) throw new ConfigError(problems);
  for (const { path, message } of problems)
    log.error({ setting: path, revision }, `${message}; requests of these accounts are refused`);
}
