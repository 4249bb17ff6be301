/** Loads the settings in force: those of the file, or the newest revision in the database. */
import type { ConfigDeps } from '../http/admin/config/config-calls.ts';
import { LEASE_MS } from '../ledger/node-lease.ts';
import { publishedCards, publishedRates } from '../ledger/publish.ts';
import { PublishedPrices } from '../reports/published-prices.ts';
import { ConfigChanges } from '../revisions/config-changes.ts';
import { ConfigRevisions } from '../revisions/config-revisions.ts';
import { StoredConfig } from '../revisions/stored-config.ts';
import { unreachableUpstreams } from '../routing/connected-upstreams.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { Routing } from './routing-setup.ts';
import type { Store } from './store-setup.ts';

export type Settings = {
  /**
   * The given dependencies, except that `config` has the settings in force and, with `config:
   * database`, `loadConfig` reads the newest revision.
   */
  readonly deps: GatewayDeps;
  /** The settings in the database; null if they are in the file. */
  readonly stored: StoredConfig | null;
};

/** Loads the settings in force. @throws ConfigError when they are invalid on this node. */
export async function setUpSettings(deps: GatewayDeps, store: Store): Promise<Settings> {
  const { clock, log, documents } = deps;
  if (deps.config.config === 'file') {
    // Loads the file again, because stored secrets could not be read before the store was open.
    const config = deps.config.secretUses.length === 0 ? deps.config : await deps.loadConfig();
    return { deps: { ...deps, config }, stored: null };
  }
  const stored = new StoredConfig({
    revisions: new ConfigRevisions(store.database.sql, clock),
    source: documents,
    clock,
    epoch: () => store.lease.epoch,
    log,
  });
  // `seed` stores the file as the first revision, unless the database has a revision. Before that,
  // it calls `loadConfig`, which checks the whole file and names the line of an error.
  await stored.seed(() => deps.loadConfig());
  const loadConfig = () => stored.load();
  return { deps: { ...deps, config: await stored.loadFirst(), loadConfig }, stored };
}

/** Returns the dependencies of the routes that read and change the settings. */
export function configDeps(
  { documents, clock }: GatewayDeps,
  { store, routing, stored }: Pick<Settings, 'stored'> & { store: Store; routing: Routing },
): ConfigDeps {
  const { sql, ledger } = store.database;
  const { live } = routing;
  const { ofFile } = documents;
  const settings = { config: () => live.config, started: live.started, ofFile, clock };
  if (stored === null) return { ...settings, database: null };
  const { revisions } = stored;
  const changes = new ConfigChanges({
    revisions,
    steps: documents.steps,
    live,
    sql,
    clock,
    publish: async (next) => {
      const before = live.current;
      await ledger.publish(publishedCards(next, before), publishedRates(next, before));
    },
    unreachable: (config) => unreachableUpstreams(config, clock),
    follow: (revision, config) => stored.follow(live, revision, config),
  });
  const nodes = () => revisions.nodes(store.lease.epoch, LEASE_MS);
  return { ...settings, database: { revisions, changes, nodes, prices: new PublishedPrices(sql) } };
}
