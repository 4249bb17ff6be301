/** Revisions in a real store, and nodes that use them, for tests. */
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { type Config, configSteps } from '../config/config.ts';
import { type Document, documentIn } from '../config/document/document.ts';
import type { Environment } from '../config/document/references.ts';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { parseYaml } from '../config/yaml-file.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile } from '../ledger/sqlite/sqlite.fixture.ts';
import { ConfigRevisions } from './config-revisions.ts';
import { StoredConfig } from './stored-config.ts';

export const engines: Readonly<Record<string, () => Promise<Database>>> = {
  SQLite: () => openFile(newFile()),
  PostgreSQL: () => openPostgresForTest(),
};

/** The settings in `SMALL_FILE`, as a document. */
export const SMALL: Document = documentOf(SMALL_FILE);

export function documentOf(yaml: string): Document {
  return documentIn(parseYaml(yaml, 'modelgate.yaml').value);
}

export type Node = {
  readonly clock: ManualClock;
  readonly revisions: ConfigRevisions;
  readonly stored: StoredConfig;
  readonly live: LiveCatalogue;
  readonly warnings: string[];
  /** The reasons why reloads were refused. */
  readonly refused: string[];
  readonly config: () => Config;
  /** Returns the number of documents that the node has checked. */
  readonly checks: () => number;
};

export type NodeOptions = {
  /** The path of a file with `config: database`. */
  readonly path: string;
  readonly env?: Environment;
  readonly ofFile?: () => Document;
  readonly clock?: ManualClock;
  /** Called before a new revision takes effect. */
  readonly prepare?: () => Promise<void>;
};

/** Starts a node that has read its settings, as the gateway does. */
export async function startNode(
  { sql }: Pick<Database, 'sql'>,
  epoch: string,
  {
    path,
    env = {},
    ofFile = () => SMALL,
    clock = manualClock(),
    prepare = async () => {},
  }: NodeOptions,
): Promise<Node> {
  const revisions = new ConfigRevisions(sql, clock);
  const warnings: string[] = [];
  const refused: string[] = [];
  let checks = 0;
  const log = {
    info: () => {},
    warn: (fields: object, message: string): void =>
      void warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  const source = {
    ofFile,
    steps: (stored: Parameters<typeof configSteps>[1]) => {
      checks += 1;
      return configSteps({ path, env, nowMs: clock.nowMs() }, stored);
    },
  };
  const stored = new StoredConfig({ revisions, source, clock, epoch: () => epoch, log });
  await stored.seed(() => ({ file: 'modelgate.yaml' }));
  const config = await stored.loadFirst();
  const live = new LiveCatalogue({
    config,
    load: () => stored.load(),
    clock,
    prepare,
    onReloaded: () => {},
    onRefused: (reason) => {
      stored.refused(reason);
      refused.push(String(reason));
    },
    onNeedsRestart: () => {},
  });
  const reports = { warnings, refused, checks: () => checks };
  return { clock, revisions, stored, live, ...reports, config: () => live.config };
}
