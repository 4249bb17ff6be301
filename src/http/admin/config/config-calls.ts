/**
 * Shared code of the settings routes: access to the settings in the database or the file,
 * `If-Match`, and the answer to a change.
 */
import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config/config.ts';
import type { Document } from '../../../config/document/document.ts';
import { tidied } from '../../../config/document/document-prices.ts';
import { withValue } from '../../../config/document/edits.ts';
import { valueAt } from '../../../config/schema-path.ts';
import { GatewayError } from '../../../errors.ts';
import type { PublishedPrices } from '../../../reports/published-prices.ts';
import type { ChangeSource, ConfigChanges } from '../../../revisions/config-changes.ts';
import type {
  ConfigRevisions,
  NodeRevision,
  Revision,
} from '../../../revisions/config-revisions.ts';
import { priceOfCard } from '../../../revisions/price-of-card.ts';
import { NO_STORE } from '../../edge/answer-schema.ts';
import { checkedQuery } from '../../edge/request-schema.ts';
import type { AdminCall } from '../../edge/route.ts';
import { CHANGE_QUERY, changedBody } from './config-schemas.ts';

export type ConfigDeps = {
  /** The settings in force on this node. */
  readonly config: () => Config;
  /** The settings with which this node started. */
  readonly started: Config;
  /**
   * Returns the settings in this node's configuration file that could be stored in the database
   * instead.
   */
  readonly ofFile: () => Document;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>;
  /** Access to the settings in the database; null if the settings are in the configuration file. */
  readonly database: {
    readonly revisions: Pick<ConfigRevisions, 'newest' | 'newestNumber' | 'at' | 'list' | 'since'>;
    readonly prices: Pick<PublishedPrices, 'card'>;
    readonly changes: Pick<ConfigChanges, 'change' | 'dryRun' | 'proposed'>;
    readonly nodes: () => Promise<readonly NodeRevision[]>;
  } | null;
};
export type ConfigDatabase = NonNullable<ConfigDeps['database']>;

export const IF_MATCH = {
  'If-Match': {
    type: 'string',
    description: 'The `ETag` of the settings on which the change is based. Required.',
  },
} as const;

export const etagOf = (revision: number): Readonly<Record<string, string>> => ({
  etag: `"${revision}"`,
});
/** The headers of an answer with settings; without a revision, they are in the file. */
export const headersAt = (revision: number | null): Readonly<Record<string, string>> => ({
  ...NO_STORE,
  ...(revision === null ? {} : etagOf(revision)),
});

/**
 * Returns the settings in the database.
 * @throws GatewayError `config_in_file` if they are in the file.
 */
export function databaseOf({ database, config }: ConfigDeps): ConfigDatabase {
  if (database !== null) return database;
  throw new GatewayError(
    'config_in_file',
    `The configuration is kept in the file ${config().file}. Change it there: the gateway reloads the file when it is saved. To change it here, write \`config: database\` in the file and restart.`,
  );
}

/**
 * The newest version of the settings (`document`). `revision` is null if the settings are in the
 * configuration file.
 */
export type Read = { readonly document: Document; readonly revision: number | null };

/**
 * Reads the newest version of the settings. If an announced price has taken effect, it replaces the
 * current price in the result.
 */
export async function readNewest({ database, ofFile, clock }: ConfigDeps): Promise<Read> {
  const newest = (await database?.revisions.newest()) ?? null;
  const { document, revision } = newest ?? { document: ofFile(), revision: null };
  return { document: tidied(document, clock.nowMs()), revision };
}

/**
 * Returns the revision of the settings with the number `id`.
 * @throws GatewayError `not_found` if it does not exist.
 */
export async function revisionAt({ revisions }: ConfigDatabase, id: string): Promise<Revision> {
  const found = /^\d{1,15}$/.test(id) ? await revisions.at(Number(id)) : null;
  if (found !== null) return found;
  throw new GatewayError('not_found', `There is no revision ${id.slice(0, 20)}.`, { param: 'id' });
}

/**
 * Saves a change, or only checks it if the query has `dry_run`.
 * @throws GatewayError `config_in_file`, `if_match_required`, and the errors of `ConfigChanges`.
 */
export async function answerChange(
  deps: ConfigDeps,
  call: AdminCall,
  edit: (document: Document) => Document,
  from?: ChangeSource,
): Promise<Response> {
  const { changes } = databaseOf(deps);
  const { base, isDryRun, note, confirmed } = askedChange(call);
  const source = from === undefined ? {} : { from };
  const made = isDryRun
    ? await changes.dryRun({ base, edit, ...source })
    : await changes.change({ base, edit, actor: call.actor, note, confirmed, ...source });
  return Response.json(changedBody(made, isDryRun), { headers: etagOf(made.revision) });
}

/** Reads `If-Match` and the query of a change. @throws `if_match_required`, `invalid_value` */
export function askedChange({ url, request }: AdminCall) {
  const { dry_run, note = '', confirm = '' } = checkedQuery(CHANGE_QUERY, url).query;
  return {
    base: baseOf(request.headers.get('if-match')),
    isDryRun: dry_run === 'true',
    note,
    confirmed: confirm.split(',').map((code) => code.trim()),
  };
}

/** Reads the revision in `If-Match`. Also accepts weak ETags, which compressed answers have. */
function baseOf(ifMatch: string | null): number {
  if (ifMatch === null) {
    throw new GatewayError(
      'if_match_required',
      'Send the header If-Match with the ETag of the configuration on which the change is based, so that nobody overwrites the changes of others. GET /admin/v1/config returns it.',
      { param: 'If-Match' },
    );
  }
  const [, revision] = /^(?:W\/)?"(\d{1,15})"$/.exec(ifMatch.trim()) ?? [];
  if (revision !== undefined) return Number(revision);
  const message = 'If-Match must be the ETag of a revision, such as "7", including the quotes.';
  throw new GatewayError('invalid_value', message, { param: 'If-Match' });
}

/** Returns an edit that restores a revision, and the revision's number. @throws `not_found` */
export async function restoredRevision(database: ConfigDatabase, id: string) {
  const { revision, document } = await revisionAt(database, id);
  return { restored: revision, edit: (): Document => document };
}

/**
 * Returns an edit that sets a channel's price to the price of a published price card.
 * @throws GatewayError `not_found` if no revision has the price card. The returned edit throws the
 *   same error if the channel is no longer sold.
 */
export async function restoredCard({ prices, revisions }: ConfigDatabase, id: string) {
  const card = await prices.card(id);
  const price = card === null ? null : await priceOfCard(revisions, card);
  if (card === null || price === null) {
    throw new GatewayError('not_found', `No revision has the price card ${id.slice(0, 64)}.`, {
      param: 'id',
    });
  }
  const path = ['models', card.model, 'channels', card.channel];
  return (document: Document): Document => {
    if (valueAt(document, path) !== undefined)
      return withValue(document, [...path, 'price'], price);
    throw new GatewayError('not_found', `The setting ${path.join('.')} no longer exists.`, {
      param: 'id',
    });
  };
}
