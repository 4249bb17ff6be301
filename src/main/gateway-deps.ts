/** What the process gives to everything that the gateway is built from. */
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
  /** Where callers reach the gateway. */
  readonly publicUrl: string;
};
