/** The dependencies that the process passes to every part of the gateway. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { SecretLookup } from '../config/document/secret-name.ts';
import type { DocumentSource } from '../revisions/stored-config.ts';
import type { Log, RequestLines } from '../telemetry/log.ts';

export type GatewayDeps = {
  /**
   * All settings; with `config: database`, only those that are needed to open the store, until it
   * is open.
   */
  readonly config: Config;
  /** Reads all settings again from their sources. */
  readonly loadConfig: () => Config | Promise<Config>;
  /**
   * Reads the settings of the configuration file that may also be stored in the database. Also
   * checks stored settings.
   */
  readonly documents: DocumentSource;
  /** Finds the stored secrets that settings refer to, once the store is open. */
  readonly secrets: SecretLookup;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLines: Pick<RequestLines, 'write' | 'dropped'>;
  readonly version: string;
  /** The base URL that callers use. */
  readonly publicUrl: string;
};
