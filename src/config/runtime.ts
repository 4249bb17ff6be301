/** What must be set before the runtime starts. */
import { ConfigError } from './problem.ts';
import type { Environment } from './yaml-file.ts';

const VARIABLE = 'BUN_CONFIG_MAX_HTTP_REQUESTS';
/** With fewer outgoing requests at once, more would queue silently behind long streams. */
const MIN_OUTGOING_REQUESTS = 1024;

/**
 * The launcher sets how many outgoing requests may be in flight; inside the process it is too late.
 * @throws ConfigError when it is not set or too low.
 */
export function requireOutgoingRequests(env: Environment = process.env): void {
  const limit = Number(env[VARIABLE] ?? Number.NaN);
  if (limit >= MIN_OUTGOING_REQUESTS) return;
  throw new ConfigError([
    {
      where: `environment ${VARIABLE}`,
      path: '',
      message: `must be at least ${MIN_OUTGOING_REQUESTS}, or requests to upstreams would queue silently; start the gateway with bin/modelgate (npm start), which sets it`,
    },
  ]);
}

/**
 * Whether the runtime sends requests for this address through a proxy named by the environment. It
 * does so by itself, and then only that proxy resolves names and connects.
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
