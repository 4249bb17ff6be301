/** The dependencies that the process passes to every part of the gateway. */
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
  /** The base URL that callers use. */
  readonly publicUrl: string;
};
