/**
 * Sends the imported data to the server. First, a dry run checks all of it. Then secrets, settings
 * and accounts are written.
 */
import type { z } from 'zod';
import type { LimitsChange } from '../../accounts/limits/limits.ts';
import { capText } from '../../accounts/limits/limits.ts';
import { yamlText } from '../../config/document/yaml-text.ts';
import { valueAt } from '../../config/schema-path.ts';
import { CHANGED } from '../../http/admin/config/config-schemas.ts';
import { type MOVE_IN, MOVED } from '../../http/admin/move-in/move-in-routes.ts';
import { SECRET_ENTRY, SECRETS } from '../../http/admin/secrets/admin-secret-routes.ts';
import { formatAmount } from '../../money/amount.ts';
import {
  type Left,
  MAX_ACCOUNTS_A_CALL,
  type MovedAccount,
  type MovedItem,
  type MovedSettings,
  type MoveIn,
} from '../../movein/move-in.ts';
import type { AdminClient } from '../admin-client.ts';
import { CliError } from '../cli-error.ts';
import { readConfig } from '../config-commands.ts';
import { type MoveInReport, reportOf, type SettingItem } from './move-in-report.ts';

/** The timeout of a call, enough for about a thousand rows on a slow database. */
const CALL_TIMEOUT_MS = 5 * 60_000;
/** The maximum number of keys in one call. An account with more keys is sent in its own call. */
const KEYS_A_CALL = 500;

/** The end of the year 9999. The API accepts only years of four digits. */
const LAST_MS = 253_402_300_799_999;

export type MoveOptions = {
  readonly isDryRun: boolean;
  /** The codes of the warnings that the operator accepts, as in `config import`. */
  readonly confirm: string | null;
  /** Called after a successful dry run, before the first write. */
  readonly beforeWriting: () => void;
};

/**
 * Imports the data of another gateway, after a dry run of all of it. With `isDryRun`, does only the
 * dry run. If the server's configuration is in a file, this function does not change it, and the
 * report contains the YAML that the operator must add.
 * @throws CliError if the server refuses a part in the dry run, before anything is written.
 */
export async function move(
  client: AdminClient,
  moveIn: MoveIn,
  { isDryRun, confirm, beforeWriting }: MoveOptions,
): Promise<{ readonly report: MoveInReport; readonly items: readonly MovedItem[] }> {
  const settings = await newSettings(client, moveIn);
  const { data } = await client.call({ method: 'GET', path: '/secrets' }, SECRETS.loose());
  const stored = data.filter(({ state }) => state !== 'unset').map(({ name }) => name);
  const secrets = [...moveIn.secrets].filter(([name]) => !stored.includes(name));
  const isChanged = settings.items.some(({ state }) => state === 'moved');
  const inFile = settings.revision === null;
  // Does a dry run of all parts before the first write.
  if (isChanged && !inFile) await changeSettings(client, settings, { isDryRun: true, confirm });
  const lists = Object.keys(settings.added.price_lists);
  const tried = await moveAccounts(client, moveIn, true, inFile ? [] : lists);
  if (!isDryRun) {
    beforeWriting();
    for (const [name, secret] of secrets) {
      const path = `/secrets/${encodeURIComponent(name)}`;
      const body = { value: secret.reveal() };
      await client.call({ method: 'PUT', path, body }, SECRET_ENTRY.loose());
    }
    if (isChanged && !inFile) await changeSettings(client, settings, { isDryRun: false, confirm });
  }
  const items = isDryRun ? tried : await moveAccounts(client, moveIn, false, []);
  const report = reportOf({
    ...{ source: moveIn.source, isDryRun, items, left: [...moveIn.left, ...settings.left] },
    yaml: isChanged && inFile ? yamlText(nonEmpty(settings.added)) : null,
    settings: [...settings.items, ...secretItems(moveIn, stored)],
  });
  return { report, items };
}

type NewSettings = {
  readonly revision: number | null;
  readonly added: MovedSettings;
  readonly items: readonly SettingItem[];
  readonly left: readonly Left[];
};

const OTHER_ADDRESS =
  'An upstream of this name has another address here. The imported models use the one here.';

const SECTIONS = [
  ['upstreams', 'upstream'],
  ['models', 'model'],
  ['price_lists', 'price list'],
] as const;

/**
 * Returns the imported settings that the server's configuration lacks. Existing settings are not
 * changed.
 */
async function newSettings(client: AdminClient, { settings }: MoveIn): Promise<NewSettings> {
  const { document, revision } = await readConfig(client);
  const isHere = (section: string, name: string): boolean => name in Object(document[section]);
  const added = Object.fromEntries(
    SECTIONS.map(([section]) => [
      section,
      Object.fromEntries(
        Object.entries(settings[section]).filter(([name]) => !isHere(section, name)),
      ),
    ]),
  );
  const items = SECTIONS.flatMap(([section, kind]) =>
    Object.keys(settings[section]).map((name) => ({
      ...{ kind, name },
      state: isHere(section, name) ? ('present' as const) : ('moved' as const),
    })),
  );
  const left = Object.entries(settings.upstreams).flatMap(([name, { base_url: address }]) => {
    const here = valueAt(document, ['upstreams', name, 'base_url']);
    const isOther = isHere('upstreams', name) && here !== address;
    return isOther ? [{ what: 'upstream', name, reason: OTHER_ADDRESS }] : [];
  });
  return { revision, added: { upstreams: {}, models: {}, price_lists: {}, ...added }, items, left };
}

/**
 * Adds the settings to the server's configuration. In a dry run, the server only validates them.
 * @throws CliError with all errors of the changed settings.
 */
async function changeSettings(
  client: AdminClient,
  { revision, added }: NewSettings,
  { isDryRun, confirm }: Omit<MoveOptions, 'beforeWriting'>,
): Promise<void> {
  const query = new URLSearchParams({ note: 'move-in', dry_run: String(isDryRun) });
  if (confirm !== null) query.set('confirm', confirm);
  const changed = await client.call(
    {
      method: 'PATCH',
      path: `/config?${query}`,
      body: { document: nonEmpty(added) },
      headers: { 'if-match': `"${revision ?? 0}"` },
    },
    CHANGED.loose(),
  );
  const open = changed.warnings.filter(
    ({ code, needs_confirmation: needs }) =>
      needs && !(confirm ?? '').split(',').some((it) => it.trim() === code),
  );
  const problems = [
    ...changed.errors.map(({ path, message }) => `${path}: ${message}`),
    ...open.map(({ code, path, message }) => `${path}: ${message} (accept with --confirm ${code})`),
  ];
  if (problems.length === 0) return;
  const list = problems.map((problem) => `\n  ${problem}`).join('');
  throw new CliError(
    'failed',
    `The settings cannot be imported, because they would not be valid:${list}`,
  );
}

const nonEmpty = (settings: MovedSettings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).filter(([, section]) => Object.keys(section).length > 0),
  );

const secretItems = ({ secrets }: MoveIn, stored: readonly string[]): readonly SettingItem[] =>
  [...secrets.keys()].map((name) => ({
    ...{ kind: 'secret', name },
    state: stored.includes(name) ? 'present' : 'moved',
  }));

/**
 * Sends the accounts with their keys and balances, in several calls. In a dry run, the server only
 * validates them.
 * @param listsToCome the price lists that do not exist yet, but that will be added before the
 *   accounts are written.
 */
async function moveAccounts(
  client: AdminClient,
  { source, accounts }: MoveIn,
  isDryRun: boolean,
  listsToCome: readonly string[],
): Promise<readonly MovedItem[]> {
  const items: MovedItem[] = [];
  for (const part of partsOf(accounts)) {
    const body: z.input<ReturnType<typeof MOVE_IN>> = {
      ...{ source, dry_run: isDryRun },
      accounts: part.map((account) => accountBody(account, listsToCome)),
    };
    const call = { method: 'POST', path: '/move-in', body, timeoutMs: CALL_TIMEOUT_MS } as const;
    items.push(...(await client.call(call, MOVED().loose())).items);
  }
  return items;
}

function* partsOf(accounts: readonly MovedAccount[]): Generator<readonly MovedAccount[]> {
  let part: MovedAccount[] = [];
  let keys = 0;
  for (const account of accounts) {
    const isFull = part.length >= MAX_ACCOUNTS_A_CALL || keys + account.keys.length > KEYS_A_CALL;
    if (isFull && part.length > 0) {
      yield part;
      [part, keys] = [[], 0];
    }
    part.push(account);
    keys += account.keys.length;
  }
  if (part.length > 0) yield part;
}

type AccountBody = z.input<ReturnType<typeof MOVE_IN>>['accounts'][number];

const accountBody = (account: MovedAccount, listsToCome: readonly string[]): AccountBody => ({
  ref: account.ref,
  earlier_ref: account.earlierRef,
  name: account.name,
  suspended: account.suspended,
  price_list:
    account.priceList !== null && listsToCome.includes(account.priceList)
      ? null
      : account.priceList,
  limits: limitsBody(account.limits),
  people: account.people.map(({ passwordHash, ...person }) => ({
    ...person,
    password_hash: passwordHash,
  })),
  keys: account.keys.map(({ expiresAtMs, limits, ...key }) => ({
    ...key,
    expires_at: expiryText(expiresAtMs),
    limits: limitsBody(limits),
  })),
  credits: account.credits.map((credit) => ({ ...credit, amount: formatAmount(credit.amount) })),
});

/**
 * Returns an expiry for the API; null for no expiry. An expiry in another gateway can be any time,
 * but the API accepts no year after 9999. Therefore, a key that expires later is imported without
 * expiry.
 */
const expiryText = (atMs: number | null): string | null =>
  atMs === null || atMs > LAST_MS ? null : new Date(atMs).toISOString();

const limitsBody = ({ spend, ...limits }: LimitsChange): NonNullable<AccountBody['limits']> => ({
  ...(spend === undefined
    ? {}
    : {
        spend: Object.fromEntries(
          Object.entries(spend).map(([window, cap]) => [window, capText(cap ?? null)]),
        ),
      }),
  requests_per_minute: limits.requestsPerMinute,
  tokens_per_minute: limits.tokensPerMinute,
  concurrency: limits.concurrency,
  models: limits.models === undefined ? undefined : (limits.models?.slice() ?? null),
  channels: undefined,
  ip_ranges:
    limits.ipRanges === undefined ? undefined : (limits.ipRanges?.map(({ text }) => text) ?? null),
});
