/** Reads the database of one-api or new-api. Pure: from its tables to what moves and what stays. */
import { type Exact, exactOf, wholeNumber } from '../exact.ts';
import { type Left, type MoveIn, NO_SETTINGS } from '../move-in.ts';
import { type SourceTables, textIn, UnknownSource } from '../source-tables.ts';
import { oneApiAccounts } from './one-api-accounts.ts';
import { oneApiGroups } from './one-api-groups.ts';
import { type OneApi, oneApiOf } from './one-api-tables.ts';

/** Units of quota in one USD, unless the operator has changed it. */
const QUOTA_PER_UNIT = 500_000n;

/** @throws UnknownSource if the tables are not those of a known version. */
export function readOneApi(tables: SourceTables): MoveIn {
  const source = oneApiOf(tables);
  const groups = oneApiGroups(source);
  const money = { quotaPerUnit: quotaPerUnitOf(source), lists: groups.lists };
  const { accounts, left } = oneApiAccounts(source, money);
  return {
    source: source.isNewApi ? 'new-api' : 'one-api',
    accounts,
    settings: { ...NO_SETTINGS, price_lists: groups.settings },
    secrets: new Map(),
    left: [...left, ...groups.left, ...leftCodes(source)],
    newKeys: new Map(),
  };
}

/** @throws UnknownSource for a quota per USD that is not above zero. */
function quotaPerUnitOf({ options }: OneApi): Exact {
  const written = options.get('QuotaPerUnit');
  const value = written === undefined ? wholeNumber(QUOTA_PER_UNIT) : exactOf(written);
  if (value !== null && value.over > 0n) return value;
  throw new UnknownSource('The option `QuotaPerUnit` of the source is not a number above zero.');
}

/** Codes of one-api have another form, and unused ones can be made again. */
const leftCodes = ({ redemptions }: OneApi): readonly Left[] =>
  redemptions
    .filter((code) => textIn(code, 'status') === '1' && textIn(code, 'deleted_at') === '')
    .map((code) => ({
      what: 'redemption code',
      name: textIn(code, 'name') || `code ${textIn(code, 'id')}`,
      reason: 'Codes have another form here. Make new ones with `redeem create`.',
    }));
