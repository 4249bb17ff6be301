/** The dependencies that the process passes to every part of the gateway. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { SecretLookup } from '../config/document/secret-name.ts';
import type { DocumentSource } from '../revisions/stored-config.ts';
import type { Log, RequestLines } from '../telemetry/log.ts';

export type GatewayDeps = {
  /** All settings; with `config: database`, only the start settings until the store is open. */
  readonly config: Config;
  /** Reads all settings again. */
  readonly loadConfig: () => Config | Promise<Config>;
  /** Reads the file's settings that the database can keep, and checks stored settings. */
  readonly documents: DocumentSource;
  /** Finds stored secrets for the settings, once the store is open. */
  readonly secrets: SecretLookup;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLines: Pick<RequestLines, 'write' | 'dropped'>;
  readonly version: string;
  /** The base URL that callers use. */
  readonly publicUrl: string;
};
