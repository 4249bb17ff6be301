/**
 * The checks of `doctor` on the process: the runtime, the open-file limit, and the settings that
 * determine how callers reach the gateway.
 */
import type { Config } from '../../config/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export type ProcessFacts = {
  /** The version of Bun that runs the process. */
  readonly runtime: string;
  /** The problem with the runtime's limit of outgoing requests; null without a problem. */
  readonly outgoing: string | null;
  /** The limit of open files; null if the system does not report it. */
  readonly openFiles: number | null;
};

/**
 * Below this limit, the check warns. A stream takes two open files: the connection to the caller
 * and the one to the upstream.
 */
const FEW_FILES = 16_384;
/** Below this limit, the check fails. */
const TOO_FEW_FILES = 1_024;

/**
 * Checks the runtime's version and its limit of outgoing requests.
 * @param tested the version of Bun that this release was tested with.
 */
export function runtimeFindings(
  { runtime, outgoing }: ProcessFacts,
  tested: string,
): readonly Finding[] {
  const version =
    runtime === tested
      ? ok('runtime', `Bun ${runtime}`)
      : warn('runtime', {
          found: `Bun ${runtime}, but this release was tested with ${tested}.`,
          remedy:
            'Start the gateway with `modelgate` or `npm start`, which use the version that is installed with the gateway.',
        });
  if (outgoing === null) return [version];
  const remedy = 'Start the gateway with `modelgate` or `npm start`, which set the limit.';
  return [version, fail('outgoing requests', { found: outgoing, remedy })];
}

export function openFilesFindings({ openFiles }: ProcessFacts): readonly Finding[] {
  if (openFiles === null) return [];
  const found = `${openFiles} files may be open at once.`;
  if (openFiles >= FEW_FILES) return [ok('open files', found)];
  const problem = {
    found: `${found} Each running request needs two open files.`,
    remedy:
      'Raise the limit to 65536: `LimitNOFILE=65536` in a systemd unit, or `ulimit -n 65536`.',
  };
  return [(openFiles < TOO_FEW_FILES ? fail : warn)('open files', problem)];
}

/** Checks the settings by which callers reach the gateway. Does not open a connection. */
export function addressFindings({
  listen,
  public_url,
  trusted_proxies,
}: Pick<Config, 'listen' | 'public_url' | 'trusted_proxies'>): readonly Finding[] {
  const check = 'public address';
  const isLocal = isLoopback(listen.host);
  if (public_url === null) {
    const found = `public_url is not set; the gateway listens on ${listen.host}:${listen.port}.`;
    if (isLocal) return [ok(check, found)];
    const remedy =
      'Set MODELGATE_PUBLIC_URL to the address that callers use: links and image URLs begin with it.';
    return [warn(check, { found, remedy })];
  }
  const url = new URL(public_url);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const found = `${url.origin} is not encrypted: keys and prompts can be read in transit.`;
    return [
      warn(check, {
        found,
        remedy: 'Put a TLS proxy in front of the gateway: see docs/operate/proxies.md.',
      }),
    ];
  }
  if (url.protocol === 'https:' && trusted_proxies === 0) {
    const found =
      "public_url is HTTPS, so a proxy ends TLS, but trusted_proxies is 0: all callers share the proxy's address and its limits.";
    const remedy =
      'Set trusted_proxies to the number of your proxies that append to X-Forwarded-For.';
    return [warn(check, { found, remedy })];
  }
  return [ok(check, url.origin)];
}

export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
