/** A QR code, dark on white in both color schemes because scanners expect these colors. */
import { encode } from 'uqr';

export type QrCodeProps = {
  readonly value: string;
  /** The code's name for screen readers. */
  readonly label: string;
};

/** The width of the blank border that the standard requires, in modules (squares of the code). */
const BORDER = 4;

const SIZE_PX = 200;

export function QrCode({ value, label }: QrCodeProps) {
  const { data, size: modules } = encode(value, { border: BORDER, ecc: 'M' });
  return (
    <svg
      role="img"
      aria-label={label}
      width={SIZE_PX}
      height={SIZE_PX}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} fill="#fff" rx={1} />
      <path d={data.flatMap(darkRuns).join('')} fill="#000" />
    </svg>
  );
}

/** Returns the dark modules of a row as rectangles, with adjacent modules merged. */
function darkRuns(row: readonly boolean[], y: number): readonly string[] {
  const runs: string[] = [];
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue;
    const start = x;
    while (row[x + 1] === true) x += 1;
    runs.push(`M${start} ${y}h${x + 1 - start}v1H${start}z`);
  }
  return runs;
}
