/** Whether a table is wider than its frame, so that it scrolls sideways. */
import { type RefCallback, useCallback, useState } from 'react';

/**
 * Observes the frame and the table in it. Only a frame that must scroll may clip its content,
 * because the head of a table in a clipping frame does not stay visible while the page scrolls.
 */
export function useScrolls(): {
  readonly ref: RefCallback<HTMLElement>;
  readonly scrolls: boolean;
} {
  const [scrolls, setScrolls] = useState(true);
  const ref = useCallback((frame: HTMLElement | null) => {
    if (frame === null) return;
    const observer = new ResizeObserver(() => setScrolls(frame.scrollWidth > frame.clientWidth));
    for (const element of [frame, ...frame.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, scrolls };
}
