/**
 * `doctor`: checks the machine, the data folder, the database, the key of the stored secrets, the
 * backups and the public URL, and lists the settings.
 */
import { existsSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };
import type { AdminSettings } from '../../cli/admin-client.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { Clock } from '../../clock.ts';
import { type Config, loadStart } from '../../config/config.ts';
import { SECTIONS } from '../../config/document/document.ts';
import { readKeys } from '../../secrets/secret-keys.ts';
import { backupKeys, placeOf } from '../backup/backups-setup.ts';
import { isOwnFile, keySourceOf } from '../secrets.ts';
import { backupDiskFindings, backupFindings } from './backup-checks.ts';
import { type Finding, fail, ok, reasonOf } from './finding.ts';
import {
  fileSystemFindings,
  flushFindings,
  folderFindings,
  spaceFindings,
} from './folder-checks.ts';
import { certificateEndMs, measureFlushes, readFolder, readProcess } from './machine.ts';
import { addressFindings, openFilesFindings, runtimeFindings } from './machine-checks.ts';
import { postgresFindings } from './postgres-checks.ts';
import { publicUrlFindings } from './public-url-checks.ts';

export type DoctorOptions = {
  readonly configPath: string | null;
  readonly json: boolean;
  /** The public URL to test; null to test no URL. */
  readonly url: string | null;
};

export type DoctorDeps = {
  readonly clock: Clock;
  readonly print: (text: string) => void;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly settings: (configPath: string | null) => Promise<AdminSettings>;
};

/** The timeout of a check, which may hang, for example on an unreachable mount. */
const CHECK_MS = 30_000;

/**
 * Runs all checks and prints the results. Returns the exit code: 1 if a check fails, else 0.
 * @throws ConfigError for a bad file; CliError for a bad URL.
 */
export async function doctor(options: DoctorOptions, deps: DoctorDeps): Promise<number> {
  const config = loadStart({ path: options.configPath });
  const findings = await findingsOf(config, options, deps);
  const rows = settingsInForce(config);
  deps.print(options.json ? asJson(findings, rows) : asText(findings, rows, config));
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
}

async function findingsOf(
  config: Config,
  { configPath, url }: DoctorOptions,
  { clock, fetch, settings }: DoctorDeps,
): Promise<readonly Finding[]> {
  const { database, database_direct, data_dir } = config;
  const limited = (check: string, run: () => Promise<readonly Finding[]>) =>
    within(clock, check, run);
  const found = await Promise.all([
    limited('process', async () => {
      const facts = await readProcess();
      return [
        ...runtimeFindings(facts, packageJson.dependencies.bun),
        ...openFilesFindings(facts),
        ...addressFindings(config),
      ];
    }),
    limited('data folder', () => dataFolderFindings(data_dir, database === 'sqlite', clock)),
    limited('database', async () =>
      database === 'sqlite'
        ? [ok('database', 'SQLite, in the data folder')]
        : await postgresFindings(database, database_direct, clock),
    ),
    limited('secrets key', () => secretsKeyFindings(config, clock)),
    limited('backups', async () => [
      ...(await backupFindings({
        settings: config.backups,
        place: placeOf(config, clock),
        keys: backupKeys(config),
        nowMs: clock.nowMs(),
      })),
      ...(await backupDiskFindings(config.backups.folder, data_dir)),
    ]),
    limited('public URL', async () =>
      url === null
        ? []
        : await publicUrlFindings(url, {
            ...{ clock, fetch, certificateEndMs, settings: await settings(configPath) },
          }),
    ),
  ]);
  return found.flat();
}

/** Checks that the key of the stored secrets can be read. The first start creates a missing one. */
async function secretsKeyFindings(config: Config, clock: Clock): Promise<readonly Finding[]> {
  const source = keySourceOf(config);
  const isMissing = source.kind === 'file' && !existsSync(source.path);
  if (isMissing && isOwnFile(source, config)) return [];
  const keys = await readKeys(source, clock);
  if (!('problem' in keys)) return [ok('secrets key', 'it can be read')];
  const remedy = 'Correct the setting `secrets`, or the file: see docs/secrets.md.';
  return [fail('secrets key', { found: `No stored secret can be used: ${keys.problem}.`, remedy })];
}

/**
 * Checks the data folder. Skips the other checks if the folder itself fails, because flushes cannot
 * be measured in a folder that refuses writes.
 */
async function dataFolderFindings(
  path: string,
  isLedgerThere: boolean,
  clock: Clock,
): Promise<readonly Finding[]> {
  const facts = await readFolder(path);
  const folder = folderFindings(facts);
  if (folder.some(({ level }) => level === 'fail')) return folder;
  return [
    ...folder,
    ...fileSystemFindings(facts, isLedgerThere),
    ...spaceFindings(facts),
    ...flushFindings(await measureFlushes(facts.existing, clock)),
  ];
}

/**
 * Runs a check with a timeout. A timeout or an error becomes a finding, except for a CliError.
 * @throws CliError from the check.
 */
async function within(
  clock: Clock,
  check: string,
  run: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Finding[]>();
  const timer = clock.after(CHECK_MS, () => {
    const found = `The check did not end within ${CHECK_MS / 1000} s.`;
    const remedy = 'Look for a network mount or a server that does not answer.';
    resolve([fail(check, { found, remedy })]);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown;
    const found = `The check failed: ${reasonOf(thrown)}.`;
    return [fail(check, { found, remedy: 'Run this command as the user of the gateway.' })];
  } finally {
    timer.cancel();
  }
}

type Row = readonly [name: string, value: string, source: string];

function settingsInForce(config: Config): readonly Row[] {
  const isInDatabase = (name: string): boolean =>
    config.config === 'database' && SECTIONS.some((section) => name.split('.')[0] === section);
  return [...config.sources]
    .filter(([name]) => !isInDatabase(name))
    .map(([name, { value, source }]): Row => [name, value, source])
    .toSorted(([a], [b]) => a.localeCompare(b));
}

function asJson(checks: readonly Finding[], rows: readonly Row[]): string {
  const settings = Object.fromEntries(
    rows.map(([name, value, source]) => [name, { value, source }]),
  );
  return `${JSON.stringify({ checks, settings }, null, 2)}\n`;
}

function asText(findings: readonly Finding[], rows: readonly Row[], config: Config): string {
  const longest = (texts: readonly string[]): number => Math.max(...texts.map((it) => it.length));
  const checks = longest(findings.map(({ check }) => check));
  const shown = findings.flatMap(({ check, level, found, remedy }) => [
    `  ${level.padEnd('warn'.length)}  ${check.padEnd(checks)}  ${found}`,
    ...(remedy === null
      ? []
      : [`  ${' '.repeat('warn'.length)}  ${' '.repeat(checks)}  ${remedy}`]),
  ]);
  const names = longest(rows.map(([name]) => name));
  const values = longest(rows.map(([, value]) => value));
  const listed = rows.map(
    ([name, value, source]) => `  ${name.padEnd(names)}  ${value.padEnd(values)}  ${source}`,
  );
  const rest = config.config === 'database' ? [IN_DATABASE] : [];
  return `${['Checks', ...shown, '', config.file, ...listed, ...rest].join('\n')}\n`;
}

const IN_DATABASE =
  'All other settings are in the database; `modelgate config export` prints them.';
