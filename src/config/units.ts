/** Parses durations and sizes. */

const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
const MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SIZE = /^(\d{1,9})\s?(B|KiB|MiB|GiB)$/;
const BYTES = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** Converts a duration such as `60m` to milliseconds; null when the text is not a duration. */
export function parseDuration(text: string): number | null {
  const match = DURATION.exec(text);
  return match === null ? null : Number(match[1]) * MS[match[2] as keyof typeof MS];
}

/**
 * Formats a duration in the syntax of the configuration, in the largest unit that gives a whole
 * number: `90m`, `6h`.
 */
export function durationText(ms: number): string {
  const units = Object.entries(MS).toReversed();
  const [unit, length] = units.find(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / length}${unit}`;
}

/** Converts a size such as `32MiB` to bytes; null when the text is not a size. */
export function parseSize(text: string): number | null {
  const match = SIZE.exec(text);
  return match === null ? null : Number(match[1]) * BYTES[match[2] as keyof typeof BYTES];
}
