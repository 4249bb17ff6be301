/**
 * Gateways for tests. They have all real parts and the default configuration, each in its own
 * folder.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { systemClock } from '../clock.ts';
import {
  type Config,
  type ConfigOptions,
  configSteps,
  fileDocument,
  loadConfig,
  loadStart,
} from '../config/config.ts';
import { SecretLookup } from '../config/document/secret-name.ts';
import { emptyStore } from '../store/sqlite/empty-store.fixture.ts';
import { openLog, RequestLines } from '../telemetry/log.ts';
import { type Gateway, openGateway } from './gateway.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { databaseFile, openSpool } from './store-setup.ts';

export const ADMIN_TOKEN = 'admin-token-of-these-tests';

const folders: string[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-main-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The files of a new data folder, by name. */
let newFiles: ReadonlyMap<string, Uint8Array> | null = null;

function makeNewFiles(): ReadonlyMap<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-main-'));
  const spool = openSpool({ data_dir: folder });
  spool.reserve();
  spool.close();
  const files = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name))] as const,
  );
  rmSync(folder, { recursive: true });
  return new Map([...files, [basename(databaseFile({ data_dir: folder })), emptyStore()]]);
}

/**
 * Creates the store and the spool in a folder that has neither. A gateway takes ten times as long
 * to create them.
 */
function fill(config: Pick<Config, 'data_dir'>): void {
  const { data_dir } = config;
  if (existsSync(databaseFile(config)) || !existsSync(data_dir)) return;
  newFiles ??= makeNewFiles();
  for (const [name, bytes] of newFiles) writeFileSync(join(data_dir, name), bytes);
}

/** Returns the default configuration, with this data folder and these environment variables. */
export const configFor = (folder: string, env: Record<string, string> = {}): Config =>
  loadConfig({ path: null, env: { MODELGATE_DATA_DIR: folder, ...env } });

export const openTestGateway = (folder: string): Promise<Gateway> =>
  openGatewayOn(configFor(folder, { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN }));

const documentsOf = (options: ConfigOptions): GatewayDeps['documents'] => ({
  ofFile: () => fileDocument(options),
  steps: (stored) => configSteps(options, stored),
});

/** Returns the dependencies that `serve` passes to a gateway with these settings. */
export function depsOn(given: ConfigOptions): GatewayDeps {
  const secrets = new SecretLookup();
  const options = { ...given, secrets: secrets.find };
  const config = loadStart(options);
  fill(config);
  return {
    secrets,
    config,
    loadConfig: () => loadConfig(options),
    documents: documentsOf(options),
    clock: systemClock,
    log: openLog('silent', systemClock).log,
    requestLines: new RequestLines('silent', systemClock),
    version: '0.0.0',
    publicUrl: 'http://gateway',
  };
}

/**
 * Opens a gateway with this configuration file in a new folder. The setting `config` in the file
 * decides whether the gateway uses the settings of the file or of the database.
 */
export async function openGatewayOf(
  file: string,
): Promise<{ readonly gateway: Gateway; readonly folder: string; readonly path: string }> {
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, file);
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  return { gateway: await openGateway(depsOn({ path, env })), folder, path };
}

/**
 * Opens a gateway with these settings. It reads no settings from the database, even with `config:
 * database`.
 */
export function openGatewayOn(config: Config, publicUrl = 'http://gateway'): Promise<Gateway> {
  fill(config);
  return openGateway({
    config: { ...config, config: 'file' },
    loadConfig: () => config,
    documents: documentsOf({ path: config.file }),
    secrets: new SecretLookup(),
    clock: systemClock,
    log: openLog('silent', systemClock).log,
    requestLines: new RequestLines('silent', systemClock),
    version: '0.0.0',
    publicUrl,
  });
}
