/**
 * Where the keyboard and the screen reader are after another page was opened: at its heading, which is read
 * out. Without this they stay at a link that may no longer be there, and nobody is told of the new page.
 */
import { useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** The page that was focused last; null until the first is shown, which the browser itself announces. */
let shownPathname: string | null = null;

/** @returns what the page's heading takes as `ref`; it needs `tabIndex={-1}` besides. */
export function usePageFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  // The page's own address: the router's is the next page's already while this one is still shown.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  useEffect(() => {
    const isFirst = shownPathname === null;
    if (shownPathname === pathname) return;
    shownPathname = pathname;
    // A field of the page that asked for the focus keeps it.
    const isTaken = document.activeElement?.closest('main') != null;
    if (!isFirst && !isTaken) heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  return heading;
}
