/**
 * Changes the settings in the database. Validates a change as the gateway validates its settings
 * when it starts, then stores the change.
 */
import { type MissingList, missingLists } from '../accounts/accounts-on-lists.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type LiveCatalogue, needsRestart } from '../catalogue/live-catalogue.ts';
import { catalogueSteps } from '../catalogue/load-catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { type Document, inOrder } from '../config/document/document.ts';
import { tidied } from '../config/document/document-prices.ts';
import { IS_HIDDEN, type Restored, withSecretsOf } from '../config/document/document-secrets.ts';
import { sharedRecordSteps } from '../config/document/shared-records.ts';
import { inSlices } from '../config/document/steps.ts';
import { ConfigError, type Path } from '../config/problem.ts';
import { valueAt } from '../config/schema-path.ts';
import { GatewayError } from '../errors.ts';
import type { UnreachableUpstream } from '../routing/connected-upstreams.ts';
import type { AuditDetail } from '../store/audit.ts';
import type { SqlExecutor } from '../store/sql.ts';
import {
  catalogueWarnings,
  limitWarnings,
  listWarnings,
  secretWarnings,
  settingWarnings,
  unreachableWarning,
  WARNINGS,
  type Warning,
  warningSteps,
} from './change-warnings.ts';
import { type ConfigRevisions, documentText, type Revision } from './config-revisions.ts';
import { auditDetail, changedRecordSteps, type Difference, differenceSteps } from './difference.ts';
import type { DocumentSource } from './stored-config.ts';

/** Maximum bytes of a document, enough for tens of thousands of models. */
export const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
/** Maximum problems in the message of a refused change. A dry run returns all of them. */
const MAX_NAMED_PROBLEMS = 10;

/** A problem of a document. `path` is the path of the setting, or empty. */
export type DocumentError = {
  readonly path: string;
  readonly message: string;
  /** The line of an imported file, such as `prices.yaml:12`; null for any other change. */
  readonly where: string | null;
};

/** The effects of a change. */
export type Plan = {
  readonly changes: readonly Difference[];
  readonly errors: readonly DocumentError[];
  readonly warnings: readonly Warning[];
  /** The changed settings that a node reads only when it starts. */
  readonly needsRestart: readonly string[];
};

export type Change = {
  /** The revision that is changed. The change is refused if this is no longer the newest. */
  readonly base: number;
  /** Returns the changed document, given the document of `base`. */
  readonly edit: (document: Document) => Document;
  readonly actor: string;
  readonly note: string;
  /** The codes of warnings that the person has confirmed. */
  readonly confirmed: readonly string[];
  readonly from?: ChangeSource;
};

/** The source of a change that is not an edit: an earlier revision or an imported file. */
export type ChangeSource =
  | { readonly origin: 'restore'; readonly restored: number }
  | { readonly origin: 'import'; readonly locate: (path: Path) => string };

/** The result of a change: its plan, and the newest revision after the change. */
export type Changed = Plan & {
  readonly revision: number;
  /** Whether this node already uses that revision. Other nodes use it within seconds. */
  readonly isInForce: boolean;
};

export type ConfigChangesDeps = {
  readonly revisions: Pick<ConfigRevisions, 'newest' | 'at' | 'add'>;
  readonly steps: DocumentSource['steps'];
  readonly live: Pick<LiveCatalogue, 'config' | 'current'>;
  readonly sql: Pick<SqlExecutor, 'query'>;
  readonly clock: Clock;
  /**
   * Publishes price cards in the ledger.
   * @throws if the ledger could not charge by one of the price cards.
   */
  readonly publish: (catalogue: Catalogue) => Promise<void>;
  readonly unreachable: (config: Config) => Promise<readonly UnreachableUpstream[]>;
  /**
   * Makes this node use the revision that it has just stored. `config` is built from that revision.
   */
  readonly follow: (revision: number, config: Config) => Promise<void>;
};

type Checked = { readonly config: Config; readonly catalogue: Catalogue };
/** An edited document, tidied and as it was `written`. */
type Edited = Restored & { readonly written: Document };
type Prepared = Plan & {
  readonly document: Document;
  readonly text: string;
  /**
   * The text of the base revision's document, in which announced prices that have already started
   * were turned into ordinary prices.
   */
  readonly before: string;
  readonly checked: Checked | null;
};

export class ConfigChanges {
  readonly #deps: ConfigChangesDeps;

  constructor(deps: ConfigChangesDeps) {
    this.#deps = deps;
  }

  /** Returns the effects of a change. Stores nothing. @throws GatewayError `revision_changed` */
  async dryRun({ base, edit, from }: Pick<Change, 'base' | 'edit' | 'from'>): Promise<Changed> {
    const current = await this.#current(base);
    const {
      document: _document,
      text: _text,
      before: _before,
      checked: _checked,
      ...plan
    } = await this.#prepare(current, edit, from);
    return { ...plan, revision: current.revision, isInForce: false };
  }

  /**
   * Stores the change as a new revision with its audit entry, and applies it on this node. Stores
   * nothing if the document does not change.
   * @throws GatewayError `revision_changed`, `invalid_value`, `confirmation_required`
   */
  async change({ base, edit, actor, note, confirmed, from }: Change): Promise<Changed> {
    const { revisions, live, publish, follow } = this.#deps;
    const current = await this.#current(base);
    const { document, text, checked, before, ...plan } = await this.#prepare(current, edit, from);
    if (checked === null) throw invalid(plan.errors);
    requireConfirmed(plan.warnings, confirmed);
    const inForce = (revision: number): boolean => (live.config.revision ?? 0) >= revision;
    if (text === before) {
      return { ...plan, revision: base, isInForce: inForce(base) };
    }
    await publish(checked.catalogue);
    const { changes } = plan;
    const source = sourceOf(from);
    const detail = { ...auditDetail(note, changes), ...auditedSource(source) };
    const added = { base, document, text, actor, note, ...source, changes, detail };
    const revision = await revisions.add(added);
    // `revision` is null if another change was stored after the base revision was read.
    if (revision === null) throw changedBy(await revisions.newest(), base);
    await follow(revision, checked.config);
    return { ...plan, revision, isInForce: inForce(revision) };
  }

  /**
   * Returns the settings that would result from an edit of the newest revision. Stores nothing.
   * @throws GatewayError `invalid_value`
   */
  async proposed(edit: Change['edit']): Promise<Checked> {
    const { revisions, clock } = this.#deps;
    const newest = await revisions.newest();
    await this.#turn();
    const base = tidied(newest?.document ?? {}, clock.nowMs());
    const edited = await this.#edited(base, edit);
    const found = await this.#check(edited, base, (newest?.revision ?? 0) + 1, undefined);
    if ('errors' in found) throw invalid(found.errors);
    return found;
  }

  async #current(base: number): Promise<Revision> {
    const newest = await this.#deps.revisions.newest();
    if (newest?.revision !== base) throw changedBy(newest, base);
    // Parsing the document took milliseconds, so waiting requests run before the change continues.
    await this.#turn();
    return newest;
  }

  async #prepare(
    current: Revision,
    edit: Change['edit'],
    from: ChangeSource | undefined,
  ): Promise<Prepared> {
    // Before the edit, announced prices that have already started are turned into ordinary prices.
    const base = tidied(current.document, this.#deps.clock.nowMs());
    const before = documentText(base);
    // Each step takes milliseconds for a large document, so waiting requests run in between.
    await this.#turn();
    const edited = await this.#edited(base, edit);
    const { document, unknown } = edited;
    await this.#turn();
    const text = documentText(document);
    requireSize(text);
    await this.#turn();
    const [was, is] = await inSlices(changedRecordSteps(base, document), this.#deps.clock);
    const changes = await inSlices(differenceSteps(was, is), this.#deps.clock);
    const hidden = unknown.map((path) => ({
      path: path.map(String).join('.'),
      message: IS_HIDDEN,
      where: from?.origin === 'import' ? from.locate(path) : null,
    }));
    const found = await this.#check(edited, base, current.revision + 1, from);
    const errors = [...hidden, ...('errors' in found ? found.errors : [])];
    const nothing = {
      document,
      text,
      before,
      changes,
      errors,
      warnings: [],
      needsRestart: [],
      checked: null,
    };
    if ('errors' in found) return nothing;
    const { config, catalogue } = found;
    await this.#turn();
    const unreachable = await this.#unreachable(is, config);
    errors.push(...unreachable.filter((it) => it.isForbidden).map(addressError));
    errors.push(...(await missingLists(this.#deps.sql, config.lists)).map(listError));
    if (errors.length > 0) return nothing;
    return {
      document,
      text,
      before,
      changes,
      errors,
      warnings: [
        ...(await this.#warnings(was, is, catalogue)),
        ...unreachable.map(unreachableWarning),
        ...secretWarnings(is, config),
      ],
      needsRestart: needsRestart(this.#deps.live.config, config),
      checked: { config, catalogue },
    };
  }

  /**
   * Returns the edited document. Its unchanged parts are the same objects as before the edit, so
   * that only changed parts must be checked.
   */
  async #edited(base: Document, edit: Change['edit']): Promise<Edited> {
    const { clock } = this.#deps;
    const share = (it: Document) => inSlices(sharedRecordSteps(base, it), clock);
    const edited = inOrder(edit(base));
    await this.#turn();
    const { document, unknown } = withSecretsOf(base, edited);
    await this.#turn();
    const written = await share(document);
    const plain = tidied(written, clock.nowMs());
    return { document: plain === written ? plain : await share(plain), written, unknown };
  }

  /** Lets waiting requests run. */
  readonly #turn = (): Promise<void> => this.#deps.clock.sleep(0);

  async #check(
    { document, written }: Edited,
    base: Document,
    revision: number,
    from: ChangeSource | undefined,
  ): Promise<Checked | { readonly errors: readonly DocumentError[] }> {
    const { steps, clock } = this.#deps;
    const name = `revision ${revision}`;
    const about = { revision, name, ...checkOf(base, document, from, clock) };
    const read = (it: Document) => inSlices(steps({ ...about, document: it }), clock);
    try {
      // Tidying drops announced prices, so they are checked before.
      if (written !== document) await read(written);
      const config = await read(document);
      await this.#turn();
      const catalogue = await inSlices(catalogueSteps(config, clock.nowMs()), clock);
      return { config, catalogue };
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      const isLocated = from?.origin === 'import';
      return {
        errors: thrown.problems.map(({ path, message, where }) => ({
          path,
          message,
          where: isLocated && where !== name ? where : null,
        })),
      };
    }
  }

  async #warnings(was: Document, is: Document, catalogue: Catalogue) {
    const { live, sql, clock } = this.#deps;
    const isChanged = (model: string): boolean => hasRecord(is, 'models', model);
    const isOfList = (list: string, model: string): boolean =>
      hasRecord(is, 'price_lists', list) || isChanged(model);
    const steps = warningSteps(
      settingWarnings(was, is),
      catalogueWarnings(live.current, catalogue, isChanged),
      listWarnings(live.current, catalogue, isOfList),
    );
    const found = await inSlices(steps, clock);
    return [...found, ...(await limitWarnings(sql, live.current, catalogue))];
  }

  /** Returns the new or changed upstreams whose hosts cannot be resolved or are not allowed. */
  async #unreachable(changed: Document, config: Config) {
    const upstreams = Object.entries(config.upstreams).filter(([name]) =>
      hasRecord(changed, 'upstreams', name),
    );
    return await this.#deps.unreachable({ ...config, upstreams: Object.fromEntries(upstreams) });
  }
}

function sourceOf(from: ChangeSource | undefined) {
  if (from?.origin === 'restore') return from;
  return { origin: from?.origin ?? ('change' as const), restored: null };
}

const auditedSource = ({ origin, restored }: ReturnType<typeof sourceOf>): AuditDetail =>
  origin === 'change' ? {} : { origin, ...(restored === null ? {} : { restored }) };

/** How to check a document. A calendar that has ended must not prevent other changes. */
const checkOf = (base: Document, next: Document, from: ChangeSource | undefined, clock: Clock) => ({
  ...(JSON.stringify(base['calendars']) === JSON.stringify(next['calendars'])
    ? { atMs: clock.nowMs() }
    : {}),
  ...(from?.origin === 'import' ? { locate: from.locate } : {}),
});

const hasRecord = (document: Document, section: string, id: string): boolean =>
  valueAt(document, [section, id]) !== undefined;

function requireSize(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_DOCUMENT_BYTES) return;
  throw new GatewayError(
    'request_too_large',
    `The configuration would have ${bytes} bytes; at most ${MAX_DOCUMENT_BYTES} are allowed.`,
  );
}

const listError = ({ list, message }: MissingList): DocumentError => ({
  path: `price_lists.${list}`,
  message,
  where: null,
});
const addressError = ({ name, message }: UnreachableUpstream): DocumentError => ({
  path: `upstreams.${name}.base_url`,
  message,
  where: null,
});

/**
 * Refuses a change while a warning that needs confirmation is not confirmed.
 * @throws GatewayError `confirmation_required`
 */
function requireConfirmed(warnings: readonly Warning[], confirmed: readonly string[]): void {
  const open = warnings.filter(
    ({ code }) => WARNINGS[code].needsConfirmation && !confirmed.includes(code),
  );
  if (open.length === 0) return;
  const codes = [...new Set(open.map(({ code }) => code))].join(',');
  throw new GatewayError(
    'confirmation_required',
    `${linesOf(open)}\nIf this is what you want, send the change again with \`confirm=${codes}\`, or with --confirm ${codes} on the command line.`,
    { extra: { confirm: codes } },
  );
}

/** Returns the error for a change with these problems. */
export function invalid(errors: readonly DocumentError[]): GatewayError {
  const param = errors[0]?.path ?? '';
  return new GatewayError('invalid_value', linesOf(errors), param === '' ? {} : { param });
}

type Named = Omit<DocumentError, 'where'> & Partial<DocumentError>;

function linesOf(problems: readonly Named[]): string {
  const lines = problems.slice(0, MAX_NAMED_PROBLEMS).map(({ path, message, where = null }) => {
    const line = path === '' ? message : `${path}: ${message}`;
    return where === null ? line : `${where}: ${line}`;
  });
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function changedBy(newest: Revision | null, base: number): GatewayError {
  const { revision = 0, actor = 'system', actorName = null, note = '' } = newest ?? {};
  const by = actorName ?? actor;
  const about = note === '' ? '' : ` (${note})`;
  return new GatewayError(
    'revision_changed',
    `The configuration is now at revision ${revision} by ${by}${about}, but your change is based on revision ${base}. Read the configuration again, and repeat the change if it still fits.`,
    { extra: { revision, by, note }, headers: { etag: `"${revision}"` } },
  );
}
