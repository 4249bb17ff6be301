/**
 * Reads the database of one-api or new-api. Returns the objects to import, and lists those that
 * cannot be imported. Has no side effects.
 */
import { type Exact, exactOf, wholeNumber } from '../exact.ts';
import type { Left, MoveIn } from '../move-in.ts';
import { type SourceTables, shownName, textIn, UnknownSource } from '../source-tables.ts';
import { oneApiAccounts } from './one-api-accounts.ts';
import { oneApiChannels } from './one-api-channels.ts';
import { oneApiGroups } from './one-api-groups.ts';
import { oneApiModels } from './one-api-models.ts';
import { oneApiPrices } from './one-api-prices.ts';
import { isDeleted, ONE_API_TABLES, type OneApi, oneApiOf } from './one-api-tables.ts';

/** How many units of quota are one USD, if the options do not set this. */
const QUOTA_PER_UNIT = 500_000n;

/**
 * Reads the source.
 * @param savedPrices the source's answer to a request for its prices, saved in a file; null if none
 *   is given.
 * @throws UnknownSource if the tables or the prices are not those of a known version.
 */
export function readOneApi(tables: SourceTables, savedPrices: string | null): MoveIn {
  const source = oneApiOf(tables);
  const groups = oneApiGroups(source);
  const quotaPerUnit = quotaPerUnitOf(source);
  const { accounts, left } = oneApiAccounts(source, { quotaPerUnit, lists: groups.lists });
  const channels = oneApiChannels(source);
  const prices = oneApiPrices(source, savedPrices, {
    quotaPerUnit,
    publicRatio: groups.publicRatio,
  });
  const { models, left: leftModels } = oneApiModels(channels.routes, prices);
  return {
    source: source.isNewApi ? 'new-api' : 'one-api',
    accounts,
    settings: { upstreams: channels.upstreams, models, price_lists: groups.settings },
    secrets: channels.secrets,
    left: [...left, ...groups.left, ...channels.left, ...leftModels, ...leftRows(source)],
    newKeys: new Map(),
  };
}

/**
 * Returns how many units of quota are one USD.
 * @throws UnknownSource if the number is not positive.
 */
function quotaPerUnitOf({ options }: OneApi): Exact {
  const written = options.get('QuotaPerUnit');
  const value = written === undefined ? wholeNumber(QUOTA_PER_UNIT) : exactOf(written);
  if (value !== null && value.over > 0n) return value;
  throw new UnknownSource('The option `QuotaPerUnit` of the source is not a number above zero.');
}

const REASONS: Readonly<Record<(typeof ONE_API_TABLES.counted)[number], string>> = {
  logs: 'The history of requests stays in the source. Keep its database.',
  top_ups: 'The history of payments stays in the source. Keep its database.',
  two_fas: 'Authenticators are not imported. People must set them up again.',
  passkey_credentials:
    'Passkeys belong to the address of the old console. People must add them again.',
  user_subscriptions: 'Subscriptions have no counterpart here. Credit what you owe.',
};

/**
 * Reports the rows that do not move. Unused redeem codes are among them, because the gateway's
 * codes have another format; the operator can create new codes.
 */
function leftRows({ redemptions, tables }: OneApi): readonly Left[] {
  const codes = redemptions
    .filter((code) => textIn(code, 'status') === '1' && !isDeleted(code))
    .map((code) => ({
      what: 'redemption code',
      name: shownName(textIn(code, 'name'), `code ${textIn(code, 'id')}`),
      reason: 'Codes have another form here. Make new ones with `redeem create`.',
    }));
  const counted = ONE_API_TABLES.counted.flatMap((table) => {
    const count = textIn(tables.get(table)?.rows[0] ?? {}, 'count');
    const name = `${count} rows`;
    return ['', '0'].includes(count)
      ? []
      : [{ what: `\`${table}\``, name, reason: REASONS[table] }];
  });
  return [...codes, ...counted];
}
