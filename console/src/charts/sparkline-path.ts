/** Computes the path of a sparkline from its values. */

/** The space above and below the line, so that its stroke is not cut off. */
const MARGIN = 2;

/**
 * Returns the SVG paths of the line and of the area below it. Zero is at the bottom, unless a value
 * is negative. Values that are not finite are drawn as zero.
 */
export function sparklinePath(
  values: readonly number[],
  width: number,
  height: number,
): { readonly line: string; readonly area: string } {
  const finite = values.map((value) => (Number.isFinite(value) ? value : 0));
  // A single value is drawn as a level line.
  const points = finite.length === 1 ? [...finite, ...finite] : finite;
  if (points.length === 0) return { line: '', area: '' };
  const low = points.reduce((least, value) => Math.min(least, value), 0);
  const high = points.reduce((most, value) => Math.max(most, value), 0);
  const span = high - low || 1;
  const x = (index: number): string => ((index * width) / (points.length - 1)).toFixed(1);
  const y = (value: number): string =>
    (MARGIN + (1 - (value - low) / span) * (height - 2 * MARGIN)).toFixed(1);
  const line = `M${points.map((value, index) => `${x(index)} ${y(value)}`).join('L')}`;
  return { line, area: `${line}V${height}H0Z` };
}
