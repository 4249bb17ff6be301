/** The limits of a scan, and the errors of bodies that exceed them. */
import { GatewayError } from '../errors.ts';
import { LONG_STRING_BYTES } from './cursor.ts';

export const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * The limits of a scan. Not only bytes but also values are limited, because the cost of parsing
 * depends more on the number of values.
 */
export type ScanLimits = {
  readonly maxDepth: number;
  /**
   * Maximum number of values within the object. The scan counts commas and opening brackets, which
   * are at least as many as the values.
   */
  readonly maxValues?: number;
  /** Maximum members of the top-level object. */
  readonly maxMembers?: number;
  /** Maximum bytes of a key at any depth. */
  readonly maxKeyBytes?: number;
  /** Maximum bytes outside of long strings, because `view` has to parse all of these bytes. */
  readonly maxStructureBytes?: number;
  /** Maximum escapes in all strings together. */
  readonly maxEscapes?: number;
  /** Maximum escapes in keys and short strings together, because these are always parsed. */
  readonly maxShortEscapes?: number;
  /**
   * Whether duplicate keys of nested objects are refused. Those of the top-level object always are.
   */
  readonly uniqueKeys?: boolean;
};

/** @throws GatewayError `invalid_json` for too many values. */
export function limitValues(values: number, { maxValues = NO_LIMIT }: ScanLimits): void {
  if (values > maxValues) {
    throw invalid(`The body has more than ${maxValues} values. Send fewer.`);
  }
}

/** @throws GatewayError `invalid_json` for a key that is too long. */
export function limitKey(bytes: number, { maxKeyBytes = NO_LIMIT }: ScanLimits): void {
  if (bytes > maxKeyBytes) throw invalid(`A key in the body is longer than ${maxKeyBytes} bytes.`);
}

/** @throws GatewayError `invalid_json` for too many bytes outside of long strings. */
export function limitStructure(
  bytes: number,
  { maxStructureBytes: most = NO_LIMIT }: ScanLimits,
): void {
  if (bytes <= most) return;
  throw invalid(
    `The body has more than ${most} bytes of whitespace, keys, numbers and short strings (at most ` +
      `${LONG_STRING_BYTES} bytes each). Send less.`,
  );
}

/**
 * @param short the number of escapes in keys and in strings that are not long.
 * @throws GatewayError `invalid_json` for too many escapes.
 */
export function limitEscapes(escapes: number, short: number, limits: ScanLimits): void {
  const { maxEscapes = NO_LIMIT, maxShortEscapes = NO_LIMIT } = limits;
  if (escapes > maxEscapes) throw tooManyEscapes(`${maxEscapes} escapes`);
  if (short > maxShortEscapes) {
    const where = `in keys and in strings of at most ${LONG_STRING_BYTES} bytes`;
    throw tooManyEscapes(`${maxShortEscapes} escapes ${where}`);
  }
}

const tooManyEscapes = (most: string): GatewayError =>
  invalid(`The body has more than ${most}. Write characters in UTF-8 instead of as \\u escapes.`);

export const invalid = (message: string): GatewayError => new GatewayError('invalid_json', message);
