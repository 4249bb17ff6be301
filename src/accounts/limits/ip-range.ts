/** IP ranges. IPv4-mapped IPv6 addresses, which dual-stack sockets report, count as IPv4. */
import { isIPv4, isIPv6 } from 'node:net';

export type IpRange = {
  /** The range as the operator wrote it. */
  readonly text: string;
  readonly address: IpAddress;
  /**
   * The length of the prefix: the number of leading bits in which all addresses of the range equal
   * `address`.
   */
  readonly prefixBits: number;
};

/** An IP address as a number with 32 bits (IPv4) or 128 bits (IPv6). */
export type IpAddress = { readonly bits: 32 | 128; readonly value: bigint };

/** The prefix of IPv4-mapped addresses, `::ffff:0:0/96`. */
const MAPPED_PREFIX = 0xffffn;
const MAPPED_BITS = 96;

/**
 * Parses an address. Returns null for an invalid address, and for one with a zone (`fe80::1%eth0`).
 */
export function parseAddress(text: string): IpAddress | null {
  if (isIPv4(text)) return { bits: 32, value: ofIPv4(text) };
  if (!isIPv6(text) || text.includes('%')) return null;
  const value = ofIPv6(text);
  if (value >> 32n === MAPPED_PREFIX) return { bits: 32, value: value & 0xffff_ffffn };
  return { bits: 128, value };
}

/**
 * Parses a range. Returns null for an invalid range, and if a bit after the prefix is set
 * (`10.0.0.1/8`).
 */
export function parseRange(text: string): IpRange | null {
  const [, written = '', length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseAddress(written);
  if (address === null) return null;
  const isMapped = address.bits === 32 && written.includes(':');
  const prefixBits =
    length === undefined ? address.bits : Number(length) - (isMapped ? MAPPED_BITS : 0);
  if (prefixBits < 0 || prefixBits > address.bits) return null;
  const range = { text, address, prefixBits };
  const hostBits = BigInt(address.bits - prefixBits);
  return (address.value >> hostBits) << hostBits === address.value ? range : null;
}

export function isWithin(address: IpAddress, range: IpRange): boolean {
  if (address.bits !== range.address.bits) return false;
  const hostBits = BigInt(address.bits - range.prefixBits);
  return address.value >> hostBits === range.address.value >> hostBits;
}

function ofIPv4(text: string): bigint {
  return text.split('.').reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}

function ofIPv6(text: string): bigint {
  // The last 32 bits of an IPv6 address may be written as IPv4.
  const hex = text.replace(/[\d.]+\.[\d.]+$/, (ipv4) => {
    const value = ofIPv4(ipv4);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [head = '', tail] = hex.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce(
    (value, group) => value * 65_536n + BigInt(`0x${group}`),
    0n,
  );
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
