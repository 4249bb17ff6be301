/** A small line that shows a trend beside a number. */
import { VisuallyHidden } from '@mantine/core';
import './palette.css';
import classes from './sparkline.module.css';
import { sparklinePath } from './sparkline-path.ts';

const WIDTH = 100;
const HEIGHT = 28;

export type SparklineProps = {
  /** The values in order of time. */
  readonly values: readonly number[];
  /**
   * The text that screen readers announce instead of the line, such as `Last 7 days, between $1.20
   * and $3.40`.
   */
  readonly text: string;
};

/** Draws the line as wide as its container. It has no axes, because the text states the numbers. */
export function Sparkline({ values, text }: SparklineProps) {
  const { line, area } = sparklinePath(values, WIDTH, HEIGHT);
  return (
    <>
      <svg
        className={classes['sparkline']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path className={classes['area']} d={area} />
        <path className={classes['line']} d={line} vectorEffect="non-scaling-stroke" />
      </svg>
      <VisuallyHidden>{text}</VisuallyHidden>
    </>
  );
}
