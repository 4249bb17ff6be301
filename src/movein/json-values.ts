/**
 * Reads values from another gateway's data (YAML, JSON or database columns), where any value may
 * have any type.
 */
import { asJsonObject, type JsonObject } from '../json/object.ts';
import { divideHalfEven, type NanoAmount, nano } from '../money/amount.ts';
import { shiftedDecimal } from '../reconcile/price-data/exact-decimal.ts';

/**
 * Returns a member that is a number or a text with a number, because the other gateways accept
 * both. Returns null for any other value.
 */
export function numberIn(object: JsonObject, name: string): number | null {
  const value = object[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Returns a member that is a positive integer; null for any other value. */
export function countIn(object: JsonObject, name: string): number | null {
  const value = numberIn(object, name);
  return value !== null && Number.isSafeInteger(value) && value > 0 ? value : null;
}

export function textIn(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export const objectIn = (object: JsonObject, name: string): JsonObject =>
  asJsonObject(object[name]) ?? {};

export function textsIn(object: JsonObject, name: string): readonly string[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Whether a setting has an effect: its value is not null, false, zero or empty. */
export function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

const NANO_PLACES = 9;
const GUARD_PLACES = 3;

/**
 * Converts a member in USD to nano-USD. Returns null if it is negative or not a number. The other
 * gateways store amounts as floats, so an inexact sum such as `0.30000000000000004` is rounded.
 */
export function amountIn(object: JsonObject, name: string): NanoAmount | null {
  const value = numberIn(object, name);
  const text = value === null ? null : shiftedDecimal(String(value), NANO_PLACES + GUARD_PLACES);
  if (text === null) return null;
  const whole = BigInt(text.replace(/\..*/, ''));
  return nano(divideHalfEven(whole, 10n ** BigInt(GUARD_PLACES)));
}

/**
 * Returns a time as Unix ms; null if it is missing. Prisma writes times in UTC without a time zone.
 */
export function instantIn(object: JsonObject, name: string): number | null {
  const value = textIn(object, name);
  if (value === null) return null;
  const atMs = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`);
  return Number.isFinite(atMs) ? atMs : null;
}
