/** Parses addresses in the configuration: the address to listen on, and those of servers. */
import { isIP } from 'node:net';

export type ListenAddress = { readonly host: string; readonly port: number };

const MAX_PORT = 65_535;
/** Maximum servers in a PostgreSQL address. They are tried in turn within a single timeout. */
const MAX_SERVERS = 9;
/**
 * The accepted values of `target_session_attrs`. They all have the same effect, because the gateway
 * always connects to the primary.
 */
const PRIMARY = new Set(['any', 'read-write', 'primary']);

/** Parses `HOST:PORT` or `[IPV6]:PORT`. Returns null when invalid. Port 0 means any free port. */
export function parseListen(text: string): ListenAddress | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > MAX_PORT ? null : { host, port };
}

/** Replaces the host and the port of a listen address. A part that is null is not replaced. */
export function withListenParts(text: string, host: string | null, port: string | null): string {
  const colon = text.lastIndexOf(':');
  const bracketed = host?.includes(':') === true && !host.startsWith('[') ? `[${host}]` : host;
  return `${bracketed ?? text.slice(0, Math.max(colon, 0))}:${port ?? text.slice(colon + 1)}`;
}

/**
 * Whether the text is a URL to which paths can be appended. It must not contain credentials,
 * because logs show URLs.
 */
export function isBaseUrl(text: string): boolean {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  return url !== null && !/[?#]/.test(text) && url.username === '' && url.password === '';
}

/** Whether a URL's hostname is a loopback name or address. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

const PRIVATE_NAMES = /(?:^|\.)(?:localhost|internal|local|lan|home\.arpa)$/;

/** Whether a name or IP address belongs to a private network, this machine or the local link. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  switch (isIP(host)) {
    case 4:
      return isPrivateIpv4(host.split('.').map(Number));
    case 6:
      return isPrivateIpv6(host);
    default:
      // A name without a dot belongs to the local network, such as another container.
      return PRIVATE_NAMES.test(host) || !host.includes('.');
  }
}

function isPrivateIpv6(host: string): boolean {
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (mapped !== null) {
    const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
    return isPrivateIpv4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  // 2000::/3 is public, except documentation addresses, 6to4 and Teredo. 6to4 and Teredo addresses
  // contain an IPv4 address, which may be private.
  return !/^[23][0-9a-f]{3}:/.test(host) || /^(?:2002:|2001:(?:0?:|db8:))/.test(host);
}

function isPrivateIpv4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    // Azure serves an internal platform service at this address, although the address is in a
    // public range.
    (a === 168 && b === 63 && c === 129 && d === 16) ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && c === 0))) ||
    (a === 198 && (b === 18 || b === 19))
  );
}

/** Whether the text is a webhook URL. It may have a token in the query, but no user or password. */
export function isWebhookUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** What to write as the address of a PostgreSQL database. */
export const POSTGRES_FORM =
  'postgres://USER:PASSWORD@HOST/NAME; in the password, write % as %25, # as %23, / as %2F, ? as %3F';

/**
 * Splits the address of a PostgreSQL cluster, such as
 * `postgres://user:password@one:5432,two:5433/database`, into one address per server. Returns null
 * for an invalid address, and for one whose `target_session_attrs` requires a standby.
 */
export function postgresServers(address: string): readonly string[] | null {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)([^?#]*)(.*)$/s.exec(address);
  if (parts === null) return null;
  const [, start = '', hosts = '', path = '', options = ''] = parts;
  // A password with such a character ends the address of the server too early.
  if (path.includes('@') || options.includes('#')) return null;
  const attributes = new URLSearchParams(options);
  const target = attributes.get('target_session_attrs');
  if (target !== null && !PRIMARY.has(target)) return null;
  attributes.delete('target_session_attrs');
  // If the URL has no `target_session_attrs`, its query stays exactly as it was written.
  const rest = target === null ? options : attributes.size === 0 ? '' : `?${attributes}`;
  const servers = hosts.split(',');
  const urls = servers.map((host) => `${start}${host}${path}${rest}`);
  const isOne = servers.length === 1 && address.length > start.length;
  const isValid = isOne || servers.every((host) => host !== '');
  return isValid && servers.length <= MAX_SERVERS && urls.every(isReadable) ? urls : null;
}

/**
 * Whether the PostgreSQL client can parse an address. A `%` in a password must be written as `%25`.
 */
function isReadable(address: string): boolean {
  try {
    const { username, password, pathname } = new URL(address);
    decodeURIComponent(`${username}${password}${pathname}`);
    return true;
  } catch {
    return false;
  }
}
