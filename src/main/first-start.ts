/** The first start: creates an account, a key, and a credit for trying the gateway. */
import type { Accounts } from '../accounts/accounts.ts';
import { isWellFormed } from '../accounts/api-key.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/problem.ts';
import type { Secret } from '../config/secret.ts';
import { asGatewayError } from '../errors.ts';
import type { CreditCommand, Ledger } from '../ledger/ledger.ts';
import { type Currency, isCurrency, type NanoAmount, nano, parseAmount } from '../money/amount.ts';

/** The demo credit, enough for a few hundred requests at the default prices. */
const DEMO_CREDIT: Credit = { amount: nano(10_000_000_000n), currency: 'USD', source: 'demo' };
const FIRST_ACCOUNT = 'default';
const FIRST_KEY = 'first key';

type Credit = {
  readonly amount: NanoAmount;
  readonly currency: Currency;
  readonly source: CreditCommand['source'];
};

export type FirstStart = {
  readonly accountId: string;
  readonly key: Secret;
  /**
   * Whether the operator chose the key with MODELGATE_INIT_KEY. Such a key is only printed masked.
   */
  readonly given: boolean;
  readonly credit: Credit | null;
};

export type FirstStartDeps = {
  readonly accounts: Pick<Accounts, 'keysOf' | 'createAccount' | 'createKey'>;
  readonly ledger: Pick<Ledger, 'apply'>;
  readonly catalogue: Catalogue;
  readonly config: Config;
  readonly clock: Clock;
};

/**
 * Sets up the gateway, or completes a first start that was interrupted. Returns null if a key
 * already exists. Of several nodes that start at once, one creates the account and one the key.
 * @throws ConfigError for an invalid MODELGATE_INIT_KEY or MODELGATE_INIT_CREDIT.
 */
export async function firstStart(deps: FirstStartDeps): Promise<FirstStart | null> {
  const { accounts, ledger, config, clock } = deps;
  const credit = firstCredit(config, deps.catalogue);
  requireWellFormed(config.init.key);
  if (await hasKey(accounts)) return null;
  const account = await accounts.createAccount({ name: FIRST_ACCOUNT, onlyFirst: true });
  if (credit !== null) {
    const [outcome] = await ledger.apply([
      {
        kind: 'credit',
        id: `first_${account.id}`,
        accountId: account.id,
        currency: credit.currency,
        amount: credit.amount,
        source: credit.source,
        reason: 'first start',
        actor: 'system',
        atMs: clock.nowMs(),
      },
    ]);
    // An interrupted start may have already booked the credit, perhaps with another amount.
    if (
      outcome?.status !== 'applied' &&
      outcome?.status !== 'already_applied' &&
      outcome?.status !== 'id_reused'
    ) {
      throw new Error(`the first credit was refused: ${outcome?.status ?? 'no outcome'}`);
    }
  }
  const { key } = config.init;
  const secret = key === null ? {} : { secret: key };
  try {
    const first = { name: FIRST_KEY, onlyFirst: true, ...secret };
    const created = await accounts.createKey(account.id, first);
    return { accountId: account.id, key: created.secret, given: key !== null, credit };
  } catch (thrown) {
    if (asGatewayError(thrown).code === 'conflict' && (await hasKey(accounts))) return null;
    throw thrown;
  }
}

const hasKey = async (accounts: FirstStartDeps['accounts']): Promise<boolean> =>
  (await accounts.keysOf(null).list({ limit: 1, after: null })).items.length > 0;

/**
 * Returns the configured credit. Without one, returns the demo credit if all routes use the
 * built-in upstream, else null.
 */
function firstCredit(config: Config, catalogue: Catalogue): Credit | null {
  const { credit } = config.init;
  if (credit !== null) return parseCredit(credit);
  const routes = [...catalogue.all.values()].flatMap((model) =>
    [...model.channels.values()].flatMap((channel) => channel.routes),
  );
  const isDemo = routes.every(({ upstream }) => config.upstreams[upstream]?.protocol === 'builtin');
  return isDemo ? DEMO_CREDIT : null;
}

/**
 * Checks the key before anything is created. Errors do not contain the key, because it may be a key
 * of another service.
 */
function requireWellFormed(key: Secret | null): void {
  if (key === null || isWellFormed(key.reveal())) return;
  throw new ConfigError([
    {
      where: 'environment MODELGATE_INIT_KEY',
      path: '',
      message: 'is not a well-formed key; create one with `modelgate key generate`',
    },
  ]);
}

function parseCredit(text: string): Credit {
  const [number = '', currency = '', ...more] = text.trim().split(/\s+/);
  const amount = parseAmount(number);
  if (amount !== null && amount > 0n && isCurrency(currency) && more.length === 0)
    return { amount, currency, source: 'top_up' };
  throw new ConfigError([
    {
      where: 'environment MODELGATE_INIT_CREDIT',
      path: '',
      message: `"${text}" is not an amount; write one such as "100 USD"`,
    },
  ]);
}
