/** Validates settings of the JavaScript runtime that must be set before the program starts. */

import type { Environment } from './document/references.ts';
import { ConfigError } from './problem.ts';

const VARIABLE = 'BUN_CONFIG_MAX_HTTP_REQUESTS';
/**
 * The runtime's limit of concurrent requests to upstreams must be at least this number. With a
 * lower limit, requests would wait in a queue, without any error, until long streams end.
 */
const MIN_OUTGOING_REQUESTS = 1024;

/**
 * Validates the runtime's limit of outgoing requests. Only the program that starts the gateway can
 * set this limit.
 * @throws ConfigError if it is unset or too low.
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
 * Returns environment variables that make the runtime, or the single binary, act as a package
 * manager.
 */
export const packageManagerEnvironment = (env: Environment = process.env): Environment => ({
  ...env,
  BUN_BE_BUN: '1',
});

/**
 * Whether the runtime uses a proxy for this URL. With a proxy, only the proxy resolves host names.
 * Must not return true for a host name that the runtime calls directly, because the address of such
 * a host must be checked.
 */
export function isProxied(address: string, env: Environment = process.env): boolean {
  const { protocol, hostname, port } = new URL(address);
  const isSecure = protocol === 'https:';
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const proxy = read(isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  // The runtime ignores a proxy with an invalid URL.
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) return false;
  const host = hostname.replace(/\.$/, '');
  const ownPort = port || (isSecure ? '443' : '80');
  return !read('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = entry, onlyPort = ownPort] = /^([^:]*|\[.*\]):(\d+)$/.exec(entry) ?? [];
      const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
      const isInDomain = host === domain || host.endsWith(`.${domain}`);
      return name === '*' || (domain !== '' && isInDomain && onlyPort === ownPort);
    });
}

/** Makes the runtime send requests to this host without a proxy. */
export function sendDirectly(
  host: string,
  env: Record<string, string | undefined> = process.env,
): void {
  const listed = env['no_proxy'] || env['NO_PROXY'] || '';
  env['no_proxy'] = listed === '' ? host : `${listed},${host}`;
}
