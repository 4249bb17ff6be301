/**
 * The geometry of stacked bars. Each group of amounts, such as a model, has one SVG path, whatever
 * the number of bars.
 */

const MAX_BAR_PX = 32;
/** The width of a bar as a fraction of the space between two bars' centers. */
const FILLED = 0.76;
/** The smallest height of a value that is not zero. */
const MIN_PX = 2;
/** The desired number of steps on the axis. */
const STEPS = 4;
const ROUND_STEPS = [1, 2, 2.5, 5, 10] as const;

/** A part of a bar: the index of its group, and its edges in pixels from the top of the plot. */
export type Segment = { readonly group: number; readonly top: number; readonly bottom: number };

export type Bars = {
  /** One SVG path per group. */
  readonly paths: readonly string[];
  /** The parts of each bar, from the zero line outward. */
  readonly segments: readonly (readonly Segment[])[];
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
  /** The difference between two marks of the axis. */
  readonly step: number;
};

export type Size = { readonly width: number; readonly height: number };

/**
 * Lays out the bars.
 * @param values the value of each group, for each bar. Negative values are below zero, and values
 * that are not finite are left out.
 */
export function barsOf(values: readonly (readonly number[])[], { width, height }: Size): Bars {
  const heights = values.map((bar) => bar.map((value) => (Number.isFinite(value) ? value : 0)));
  const sums = heights.map((bar) => ({
    up: bar.reduce((sum, value) => sum + Math.max(0, value), 0),
    down: bar.reduce((sum, value) => sum + Math.min(0, value), 0),
  }));
  const high = sums.reduce((most, { up }) => Math.max(most, up), 0);
  const low = sums.reduce((least, { down }) => Math.min(least, down), 0);
  const step = roundStep((high - low) / STEPS || 1 / STEPS);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step) || 1];
  const scale = height / ((last - first) * step);
  const y = (value: number): number => Math.round((last * step - value) * scale);
  const marks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const segments = heights.map((bar) => segmentsOf(bar, y));
  const place = placesOf(heights.length, width);
  const paths = Array.from({ length: heights[0]?.length ?? 0 }, (_, group) =>
    segments
      .flatMap((parts, index) =>
        parts
          .filter((part) => part.group === group)
          .map(({ top, bottom }) => {
            const { left, wide } = place(index);
            return `M${left} ${top}h${wide}V${bottom}h-${wide}z`;
          }),
      )
      .join(''),
  );
  return { paths, segments, step, ticks: marks.map((value) => ({ value, y: y(value) })) };
}

/**
 * Stacks the positive values of a bar upward and the negative values downward from zero. Each part
 * is at least `MIN_PX` high.
 */
function segmentsOf(bar: readonly number[], y: (value: number) => number): readonly Segment[] {
  const zero = y(0);
  const up = { sum: 0, edge: zero };
  const down = { sum: 0, edge: zero };
  return bar.flatMap((value, group) => {
    if (value === 0) return [];
    const side = value > 0 ? up : down;
    const { edge } = side;
    side.sum += value;
    side.edge =
      value > 0 ? Math.min(y(side.sum), edge - MIN_PX) : Math.max(y(side.sum), edge + MIN_PX);
    // A gap of 1 px separates a part from the previous one, if the part is high enough.
    const gap = edge === zero || Math.abs(edge - side.edge) <= MIN_PX ? 0 : 1;
    return value > 0
      ? [{ group, top: side.edge, bottom: edge - gap }]
      : [{ group, top: edge + gap, bottom: side.edge }];
  });
}

/** Returns the left edge and the width of each bar in whole pixels, so that edges are sharp. */
export function placesOf(count: number, width: number) {
  const space = width / Math.max(1, count);
  const wide = Math.max(1, Math.min(MAX_BAR_PX, Math.floor(space * FILLED)));
  return (index: number) => ({ left: Math.round(index * space + (space - wide) / 2), wide });
}

/**
 * Returns the smallest step that is at least `atLeast`, and 1, 2, 2.5 or 5 times a power of ten.
 */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = ROUND_STEPS.find((each) => each * power >= atLeast * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(6));
}

/** Returns the indexes of the bars to label, so that labels of this width do not overlap. */
export function labeled(count: number, width: number, labelPx: number): readonly number[] {
  const every = Math.max(1, Math.ceil((count * labelPx) / Math.max(1, width)));
  const first = Math.floor((Math.min(every, count) - 1) / 2);
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => index % every === first,
  );
}
