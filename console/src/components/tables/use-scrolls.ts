/** Measures whether a table is wider than its frame, and how many columns to hide to fit. */
import { type RefCallback, useCallback, useState } from 'react';

export type Scrolls = {
  readonly ref: RefCallback<HTMLElement>;
  /** Whether the frame scrolls sideways. */
  readonly scrolls: boolean;
  /** The number of columns to hide. */
  readonly folded: number;
};

/**
 * Observes the frame and the table in it. The frame may scroll sideways only while the table is
 * wider than the frame, because a frame that can scroll does not keep the table's head visible
 * while the page scrolls.
 * @param foldable the number of columns that may be hidden for lack of space.
 */
export function useScrolls(foldable = 0): Scrolls {
  const [scrolls, setScrolls] = useState(true);
  // For each hidden column, the width that the table had before the column was hidden. When the
  // frame is that wide again, the column is shown again.
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
