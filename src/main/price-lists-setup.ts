/** Connects price lists with the accounts that are on them. */
import type { Accounts } from '../accounts/accounts.ts';
import { missingLists } from '../accounts/accounts-on-lists.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/problem.ts';
import { asGatewayError } from '../errors.ts';
import type { CallersLists } from '../http/caller/catalogue-routes.ts';
import type { SqlExecutor } from '../store/sql.ts';
import type { GatewayDeps } from './gateway-deps.ts';

/** Returns functions that find the price list of a caller and of a signed-in person. */
export const priceListsIn = (
  accounts: Pick<Accounts, 'authenticateRequest' | 'getAccount'>,
): CallersLists => ({
  ofKey: async ({ request, address }) => {
    try {
      return (await accounts.authenticateRequest(request.headers, address)).priceList;
    } catch (thrown) {
      // A caller without a valid key gets the public prices. If the store does not answer, throws
      // the error instead.
      if (asGatewayError(thrown).status >= 500) throw thrown;
      return null;
    }
  },
  ofAccount: async (id) => (await accounts.getAccount(id)).priceList,
});

/**
 * Checks that the price list of each account exists. If one is missing from the configuration file,
 * refuses the file, because the accounts on that list would pay other prices. A revision in the
 * database was checked when it was stored. If it lacks a list anyway, only logs that the requests
 * of the list's accounts are refused, because without the revision all nodes would stop.
 * @throws ConfigError naming each missing list and how many accounts are on it.
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
