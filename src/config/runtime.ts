/** What the runtime must have been given before it started. */
import { ConfigError } from './problem.ts';
import type { Environment } from './yaml-file.ts';

const VARIABLE = 'BUN_CONFIG_MAX_HTTP_REQUESTS';
/** Fewer outgoing requests at once than this would queue silently behind long streams. */
const MIN_OUTGOING_REQUESTS = 1024;

/**
 * The launcher sets how many outgoing requests may be in flight; setting it from inside has no effect.
 * @throws ConfigError when it is not set or too low.
 */
export function requireOutgoingRequests(env: Environment = process.env): void {
  const limit = Number(env[VARIABLE] ?? Number.NaN);
  if (limit >= MIN_OUTGOING_REQUESTS) return;
  throw new ConfigError([
    {
      where: `environment ${VARIABLE}`,
      path: '',
      message: `must be at least ${MIN_OUTGOING_REQUESTS}, or requests to upstreams would wait for each other unseen; start the gateway with bin/modelgate (npm start), which sets it`,
    },
  ]);
}

/**
 * Whether the runtime sends what goes to this address through a proxy that the environment names. It
 * does so by itself, and then that proxy alone looks up names and connects.
 */
export function isProxied(address: string, env: Environment = process.env): boolean {
  const { protocol, hostname } = new URL(address);
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  if (read(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') === '') return false;
  const exceptions = read('NO_PROXY')
    .split(',')
    .map((each) => each.trim().replace(/^\./, ''));
  return !exceptions.some(
    (each) => each === '*' || (each !== '' && (hostname === each || hostname.endsWith(`.${each}`))),
  );
}
