/**
 * Where the keyboard and the screen reader are after another page was opened: at its heading, which is read
 * out. Without this they stay at a link that may no longer be there, and nobody is told of the new page.
 */
import { useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** The first page is announced by the browser itself. */
let isFirstPage = true;

/** @returns what the page's heading takes as `ref`; it needs `tabIndex={-1}` besides. */
export function usePageFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  // The page's own address: the router's is the next page's already while this one is still shown.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same screen at another address is another page.
  useEffect(() => {
    // A field of the page that asked for the focus keeps it.
    const isTaken = document.activeElement?.closest('main') != null;
    if (!isFirstPage && !isTaken) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [pathname]);
  return heading;
}
