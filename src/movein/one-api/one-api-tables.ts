/**
 * The tables of one-api and of its fork new-api. Their columns differ a little: new-api has other
 * names for the limits of models and addresses, and does not delete rows but marks them as deleted.
 */
import {
  requiredRows,
  rowsOf,
  type SourceRow,
  type SourceTables,
  textIn,
} from '../source-tables.ts';

const MAKERS = 'one-api or new-api';

/** Names of the tables to read. For the tables in `counted`, only the number of rows is read. */
export const ONE_API_TABLES = {
  read: ['users', 'tokens', 'channels', 'options', 'redemptions'],
  counted: ['logs', 'top_ups', 'two_fas', 'passkey_credentials', 'user_subscriptions'],
} as const;

const USER_COLUMNS = ['id', 'username', 'password', 'display_name', 'role', 'status', 'email'];
const TOKEN_COLUMNS = ['id', 'user_id', 'key', 'status', 'name', 'expired_time', 'remain_quota'];
const CHANNEL_COLUMNS = ['id', 'type', 'key', 'status', 'name', 'base_url', 'models', 'group'];

export type OneApi = {
  readonly users: readonly SourceRow[];
  readonly tokens: readonly SourceRow[];
  readonly channels: readonly SourceRow[];
  readonly redemptions: readonly SourceRow[];
  readonly options: ReadonlyMap<string, string>;
  readonly isNewApi: boolean;
  readonly tables: SourceTables;
};

/**
 * Returns the rows of the source.
 * @throws UnknownSource if the tables are not those of a known version.
 */
export function oneApiOf(tables: SourceTables): OneApi {
  const users = requiredRows(tables, 'users', [...USER_COLUMNS, 'quota', 'group'], MAKERS);
  const tokens = requiredRows(tables, 'tokens', [...TOKEN_COLUMNS, 'unlimited_quota'], MAKERS);
  const channels = requiredRows(tables, 'channels', CHANNEL_COLUMNS, MAKERS);
  const options = requiredRows(tables, 'options', ['key', 'value'], MAKERS);
  return {
    users,
    tokens,
    channels,
    redemptions: rowsOf(tables, 'redemptions'),
    options: new Map(options.map((row) => [textIn(row, 'key'), textIn(row, 'value')])),
    isNewApi: tables.get('tokens')?.columns.includes('model_limits_enabled') ?? false,
    tables,
  };
}

/** Whether new-api has marked the row as deleted. */
export const isDeleted = (row: SourceRow): boolean => textIn(row, 'deleted_at') !== '';
