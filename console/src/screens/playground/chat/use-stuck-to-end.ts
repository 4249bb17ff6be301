/** Keeps the end of a growing list in view until the person scrolls up. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** A list whose end is at most this many pixels away counts as scrolled to its end. */
const NEAR_PX = 48;

export type StuckToEnd = {
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
};

/**
 * Keeps the end of a list in view.
 * @param count the number of items. A new item is always scrolled into view.
 */
export function useStuckToEnd(count: number): StuckToEnd {
  const scroll = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const isStuck = useRef(true);

  const toEnd = useCallback(() => {
    const { current } = scroll;
    if (current !== null) current.scrollTop = current.scrollHeight;
    isStuck.current = true;
    setAtEnd(true);
  }, []);

  useEffect(() => {
    const box = scroll.current;
    const inner = content.current;
    if (box === null || inner === null) return;
    let lastTop = box.scrollTop;
    const onScroll = (): void => {
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      // Only scrolling up stops the list from following its end. New content also increases the
      // distance to the end, but does not change `scrollTop`.
      if (isNear || box.scrollTop < lastTop) isStuck.current = isNear;
      lastTop = box.scrollTop;
      setAtEnd(isStuck.current);
    };
    const observer = new ResizeObserver(() => {
      if (isStuck.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new item must be scrolled into view.
  useEffect(toEnd, [count, toEnd]);

  return { scroll, content, isAtEnd, toEnd };
}
