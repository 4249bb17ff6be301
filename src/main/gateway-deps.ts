/** The dependencies that the process passes to every part of the gateway. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { SecretLookup } from '../config/document/secret-name.ts';
import type { DocumentSource } from '../revisions/stored-config.ts';
import type { Log, RequestLines } from '../telemetry/log.ts';

export type GatewayDeps = {
  /** All settings, or with `config: database` first only those that a start needs. */
  readonly config: Config;
  /** Reads all settings again. */
  readonly loadConfig: () => Config | Promise<Config>;
  /** The part of the file that the database may keep instead, and how it becomes settings. */
  readonly documents: DocumentSource;
  /** Through which the settings find stored secrets, once the store is open. */
  readonly secrets: SecretLookup;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLines: Pick<RequestLines, 'write' | 'dropped'>;
  readonly version: string;
  /** The base URL that callers use. */
  readonly publicUrl: string;
};
