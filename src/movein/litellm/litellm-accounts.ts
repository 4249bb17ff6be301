/**
 * Converts the users, teams and keys of LiteLLM to accounts. A team pays for its keys; a user pays
 * for keys without a team. LiteLLM stores only hashes of keys, but the same hashes as the gateway,
 * so keys stay valid.
 */
import { MAX_KEYS } from '../../accounts/account.ts';
import { hashHex } from '../../accounts/api-key.ts';
import { KEY_FORMS } from '../../accounts/foreign-keys.ts';
import type { JsonObject } from '../../json/object.ts';
import type { NanoAmount } from '../../money/amount.ts';
import { instantIn, textIn, textsIn } from '../json-values.ts';
import type { Left, MovedAccount, MovedKey, MovedPerson } from '../move-in.ts';
import { refOf } from '../refs.ts';
import { shownName } from '../source-tables.ts';
import { budgetIn, limitsOf, type ModelNames } from './litellm-limits.ts';
import { peopleOf } from './litellm-people.ts';
import type { LiteLlmTables } from './litellm-tables.ts';

export type AccountOptions = {
  /** The credit in USD that each account gets; null for none. */
  readonly credit: NanoAmount | null;
  readonly nowMs: number;
  readonly models: ModelNames;
};

export type ReadAccounts = {
  readonly accounts: readonly MovedAccount[];
  readonly left: readonly Left[];
};

/**
 * The team id of session tokens. LiteLLM's dashboard creates such a token when a person signs in.
 */
const SESSIONS = 'litellm-dashboard';
/**
 * What LiteLLM displays instead of the last characters of a short key, by default of fewer than 16
 * characters.
 */
const HIDDEN = 'sk-...';
const SHORT =
  'The key is short, so it can be guessed. Rotate it. Keys of fewer than 8 characters do not work here.';
const NO_OWNER = 'keys without an owner';

export const accountsOf = (tables: LiteLlmTables, options: AccountOptions): ReadAccounts =>
  new AccountReader(tables, options).read();

class AccountReader {
  readonly #tables: LiteLlmTables;
  readonly #options: AccountOptions;
  readonly #budgets: ReadonlyMap<string, JsonObject>;
  readonly #projects: ReadonlyMap<string, JsonObject>;
  readonly #left: Left[] = [];

  constructor(tables: LiteLlmTables, options: AccountOptions) {
    this.#tables = tables;
    this.#options = options;
    this.#budgets = byId(tables.budgets, 'budget_id');
    this.#projects = byId(tables.projects, 'project_id');
  }

  read(): ReadAccounts {
    const { tokens, users, teams } = this.#tables;
    const byOwner = Map.groupBy(
      tokens.filter((token) => this.#isMoved(token)),
      ownerOf,
    );
    const { people, left } = peopleOf(this.#tables);
    this.#left.push(...left);
    const accounts = [
      ...teams.map((team) => ({ row: team, kind: 'team', id: textIn(team, 'team_id') ?? '' })),
      ...users.map((user) => ({ row: user, kind: 'user', id: textIn(user, 'user_id') ?? '' })),
    ].flatMap(({ row, kind, id }) => {
      const ref = refOf(kind, id);
      const keys = byOwner.get(ref) ?? [];
      byOwner.delete(ref);
      const own = people.get(ref) ?? [];
      // Skips users who have no keys and whose account no person would own.
      return kind === 'user' && keys.length === 0 && own.length === 0
        ? []
        : [this.#account(ref, row, keys, own)];
    });
    const rest = [...byOwner.values()].flat();
    if (rest.length > 0) accounts.push(this.#account(NO_OWNER, {}, rest, []));
    this.#leaveBudgets();
    return { accounts, left: this.#left };
  }

  #account(
    ref: string,
    row: JsonObject,
    tokens: readonly JsonObject[],
    people: readonly MovedPerson[],
  ): MovedAccount {
    const name =
      ['team_alias', 'user_alias', 'user_email', 'team_id', 'user_id']
        .map((column) => textIn(row, column))
        .find((each) => each !== null) ?? 'LiteLLM';
    const read = limitsOf(row, this.#budgetOf(row), this.#options.models);
    this.#note('account', name, read.notes);
    const { credit } = this.#options;
    return {
      ref,
      name: shownName(name, 'LiteLLM'),
      suspended: row['blocked'] === true || read.isBlocked,
      priceList: null,
      limits: read.limits,
      people,
      keys: this.#keys(tokens),
      credits:
        credit === null ? [] : [{ ref: refOf('credit', ref), currency: 'USD', amount: credit }],
    };
  }

  /**
   * Whether the key moves: it is not a session token, has not expired, and can call models. Reports
   * the reason if it does not move.
   */
  #isMoved(token: JsonObject): boolean {
    const name = keyName(token);
    const expiresAtMs = instantIn(token, 'expires');
    if (textIn(token, 'team_id') === SESSIONS) {
      this.#leave('session', name, 'It is only the sign-in session of a person in LiteLLM.');
      return false;
    }
    if (expiresAtMs !== null && expiresAtMs <= this.#options.nowMs) {
      this.#leave('key', name, 'The key has expired.');
      return false;
    }
    if (['management', 'read_only'].includes(textIn(token, 'key_type') ?? '')) {
      this.#leave('key', name, 'The key can only manage LiteLLM, not call models.');
      return false;
    }
    return true;
  }

  #keys(tokens: readonly JsonObject[]): readonly MovedKey[] {
    const keys = tokens.flatMap((token) => this.#key(token) ?? []);
    for (const { name } of keys.slice(MAX_KEYS))
      this.#leave('key', name, `An account has at most ${MAX_KEYS} keys.`);
    return keys.slice(0, MAX_KEYS);
  }

  #key(token: JsonObject): MovedKey | null {
    const name = keyName(token);
    const hash = textIn(token, 'token')?.toLowerCase() ?? '';
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      this.#leave('key', name, 'LiteLLM stores no hash of the key. Create a new key here.');
      return null;
    }
    const last4 = /^sk-\.{3}(.{1,4})$/.exec(textIn(token, 'key_name') ?? '')?.[1] ?? '';
    if (hashHex(`sk-${last4}`) === hash && !KEY_FORMS['sk-any'].test(`sk-${last4}`)) {
      this.#leave('key', name, 'The key is too short to be safe. Create a new key here.');
      return null;
    }
    if (textIn(token, 'key_name') === HIDDEN) this.#leave('key', name, SHORT);
    const read = limitsOf(token, this.#budgetOf(token), this.#options.models);
    this.#note('key', name, read.notes);
    const project = this.#projects.get(textIn(token, 'project_id') ?? '');
    return {
      ref: refOf('key', hash),
      name: shownName(name, 'LiteLLM'),
      hash,
      form: 'sk-any',
      prefix: 'sk-',
      last4: /^[!-~]{0,4}$/.test(last4) ? last4 : '',
      disabled: [
        token['blocked'] === true,
        read.isBlocked,
        this.#hasOtherRoutes(token, name),
        project !== undefined && this.#isStopped(project, name),
      ].includes(true),
      expiresAtMs: instantIn(token, 'expires'),
      limits: read.limits,
    };
  }

  /**
   * Whether a key may call only some of LiteLLM's routes. The gateway cannot limit a key like this.
   */
  #hasOtherRoutes(token: JsonObject, name: string): boolean {
    const routes = textsIn(token, 'allowed_routes');
    if (routes.length === 0 || routes.includes('llm_api_routes')) return false;
    this.#leave(
      'key',
      name,
      'The key may call only some routes of LiteLLM, so it is imported as disabled. Enable it by hand.',
    );
    return true;
  }

  /**
   * Whether the key must be disabled because of its project: the project is blocked, or has limits
   * that the gateway cannot enforce.
   */
  #isStopped(project: JsonObject, name: string): boolean {
    if (textsIn(project, 'models').length === 0 && this.#budgetOf(project) === null)
      return project['blocked'] === true;
    this.#leave(
      'key',
      name,
      'Its project has limits, so the key is disabled. Set limits for the key and enable it.',
    );
    return true;
  }

  #leaveBudgets(): void {
    const { organizations, memberships } = this.#tables;
    for (const organization of organizations) {
      const name = textIn(organization, 'organization_alias') ?? '';
      this.#leave(
        'organization',
        name,
        'Its teams are imported, but the organization and its budget are not.',
      );
    }
    for (const membership of memberships) {
      if (this.#budgetOf(membership) === null) continue;
      const name = `${textIn(membership, 'user_id')} in ${textIn(membership, 'team_id')}`;
      this.#leave(
        'budget',
        name,
        'Budgets of members are not imported. Set limits for the member.',
      );
    }
  }

  /**
   * Returns the budget that a row refers to; null if it refers to no budget, or to one without
   * limits.
   */
  #budgetOf(row: JsonObject): JsonObject | null {
    const budget = this.#budgets.get(textIn(row, 'budget_id') ?? '') ?? null;
    if (budget === null) return null;
    const names = ['rpm_limit', 'tpm_limit', 'max_parallel_requests'];
    const isLimit = names.some((name) => (budget[name] ?? null) !== null);
    return isLimit || budgetIn(budget) !== null ? budget : null;
  }

  #note(what: string, name: string, notes: readonly string[]): void {
    for (const reason of notes) this.#leave(what, name, reason);
  }

  #leave(what: string, name: string, reason: string): void {
    this.#left.push({ what, name, reason });
  }
}

const byId = (rows: readonly JsonObject[], column: string): ReadonlyMap<string, JsonObject> =>
  new Map(rows.map((row) => [textIn(row, column) ?? '', row]));

function ownerOf(token: JsonObject): string {
  const [team, user] = [textIn(token, 'team_id'), textIn(token, 'user_id')];
  if (team !== null) return refOf('team', team);
  return user === null ? NO_OWNER : refOf('user', user);
}

const keyName = (token: JsonObject): string =>
  textIn(token, 'key_alias') ?? textIn(token, 'key_name') ?? 'key';
