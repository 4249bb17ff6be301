/** A list that grows at its end, kept in sight there until somebody scrolls up to read. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Nearer than this to the end somebody is reading the end. */
const NEAR_PX = 48;

export type StuckToEnd = {
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
};

export function useStuckToEnd(): StuckToEnd {
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
    const onScroll = (): void => {
      isStuck.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
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

  return { scroll, content, isAtEnd, toEnd };
}
