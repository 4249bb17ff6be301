/** What every part of the gateway gets from the process. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Log, RequestLines } from '../telemetry/log.ts';

export type GatewayDeps = {
  readonly config: Config;
  readonly loadConfig: () => Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLines: Pick<RequestLines, 'write' | 'dropped'>;
  readonly version: string;
  /** The base URL for callers. */
  readonly publicUrl: string;
};
