/** Whether a table is wider than its frame, and how many of its columns fold so that it is not. */
import { type RefCallback, useCallback, useState } from 'react';

export type Scrolls = {
  readonly ref: RefCallback<HTMLElement>;
  /** Whether the frame scrolls sideways. */
  readonly scrolls: boolean;
  /** The number of columns to leave out. */
  readonly folded: number;
};

/**
 * Observes the frame and the table in it. Only a frame that must scroll may clip its content,
 * because the head of a table in a clipping frame does not stay visible while the page scrolls.
 * @param foldable the number of columns that may be left out where there is no space for them.
 */
export function useScrolls(foldable = 0): Scrolls {
  const [scrolls, setScrolls] = useState(true);
  // The width that the table had before each folding: with so much space, the column comes back.
  const [needed, setNeeded] = useState<readonly number[]>([]);
  const ref = useCallback(
    (frame: HTMLElement | null) => {
      if (frame === null) return;
      const observer = new ResizeObserver(() => {
        const { scrollWidth, clientWidth } = frame;
        const isWider = scrollWidth > clientWidth;
        setScrolls(isWider);
        setNeeded((widths) => {
          if (isWider) return widths.length < foldable ? [...widths, scrollWidth] : widths;
          const narrow = widths.filter((width) => width > clientWidth);
          return narrow.length === widths.length ? widths : narrow;
        });
      });
      for (const element of [frame, ...frame.children]) observer.observe(element);
      return () => observer.disconnect();
    },
    [foldable],
  );
  return { ref, scrolls, folded: Math.min(needed.length, foldable) };
}
