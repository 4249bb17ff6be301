/**
 * Reads LiteLLM's PostgreSQL database, whose schema Prisma creates. Reads each row as JSON, because
 * some versions lack columns, and because JSON has the shortest exact text of a float.
 */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { UnknownSource } from '../source-tables.ts';
import type { LiteLlmTables } from './litellm-tables.ts';

/** Runs a query whose result has a single column named `row`. */
export type RowQuery = (text: string) => Promise<readonly { readonly row: unknown }[]>;

export type LiteLlmDatabase = LiteLlmTables & {
  readonly models: readonly JsonObject[];
  readonly credentials: readonly JsonObject[];
  readonly config: readonly JsonObject[];
  readonly endUsers: readonly JsonObject[];
  readonly replacedTokens: readonly JsonObject[];
};

type Table = { readonly name: string; readonly order: string; readonly needs: readonly string[] };
const table = (name: string, order: string, ...needs: readonly string[]): Table => ({
  ...{ name: `LiteLLM_${name}`, order, needs },
});
const TABLES: Readonly<Record<keyof LiteLlmDatabase, Table>> = {
  tokens: table(
    'VerificationToken',
    'token',
    ...['token', 'key_name', 'spend', 'expires', 'models', 'user_id', 'team_id', 'max_budget'],
  ),
  users: table('UserTable', 'user_id', 'user_id', 'user_email', 'max_budget', 'models'),
  teams: table('TeamTable', 'team_id', 'team_id', 'team_alias', 'max_budget', 'models', 'blocked'),
  budgets: table('BudgetTable', 'budget_id', 'budget_id', 'max_budget', 'budget_duration'),
  organizations: table('OrganizationTable', 'organization_id'),
  projects: table('ProjectTable', 'project_id'),
  memberships: table('TeamMembership', 'team_id, user_id'),
  models: table('ProxyModelTable', 'model_name, model_id'),
  credentials: table('CredentialsTable', 'credential_name'),
  config: table('Config', 'param_name'),
  endUsers: table('EndUserTable', 'user_id'),
  replacedTokens: table('DeprecatedVerificationToken', 'token'),
};

/** Maximum rows that are read from a table. Usual installations have fewer. */
const MAX_ROWS = 200_000;

/**
 * Reads all tables.
 * @throws UnknownSource if the database is not LiteLLM's, or is of a version that is too old.
 */
export async function readLiteLlmDatabase(query: RowQuery): Promise<LiteLlmDatabase> {
  const read: Partial<Record<keyof LiteLlmDatabase, readonly JsonObject[]>> = {};
  const columns = await columnsOf(query);
  for (const [key, { name, order, needs }] of tablesOf()) {
    const present = columns.get(name);
    checkColumns(name, present, needs);
    if (present === undefined) continue;
    const rows = await query(
      `SELECT to_jsonb(t) AS row FROM "${name}" AS t ORDER BY ${order} LIMIT ${MAX_ROWS + 1}`,
    );
    if (rows.length > MAX_ROWS)
      throw new UnknownSource(`The table "${name}" has more than ${MAX_ROWS} rows.`);
    read[key] = rows.map(({ row }) => asJsonObject(row) ?? {});
  }
  return { ...NOTHING, ...read };
}

const NOTHING: LiteLlmDatabase = {
  ...{ tokens: [], users: [], teams: [], budgets: [], organizations: [], projects: [] },
  ...{ memberships: [], models: [], credentials: [], config: [], endUsers: [] },
  replacedTokens: [],
};

const tablesOf = () => Object.entries(TABLES) as [keyof LiteLlmDatabase, Table][];

/** Returns the names of the columns of each of LiteLLM's tables in the connection's schema. */
async function columnsOf(query: RowQuery): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await query(`SELECT json_build_array(table_name, column_name) AS row
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name LIKE 'LiteLLM!_%' ESCAPE '!'`);
  const columns = new Map<string, Set<string>>();
  for (const { row } of rows) {
    const [name, column] = Array.isArray(row) ? row.map(String) : [];
    if (name === undefined || column === undefined) continue;
    const known = columns.get(name) ?? new Set();
    columns.set(name, known.add(column));
  }
  return columns;
}

function checkColumns(
  name: string,
  present: ReadonlySet<string> | undefined,
  needs: readonly string[],
): void {
  if (needs.length === 0) return;
  if (present === undefined)
    throw new UnknownSource(`The source has no table "${name}", so it is not a LiteLLM database.`);
  const missing = needs.filter((column) => !present.has(column));
  if (missing.length === 0) return;
  throw new UnknownSource(
    `The table "${name}" of the source lacks ${missing.join(', ')}, so this version of LiteLLM cannot be read.`,
  );
}
