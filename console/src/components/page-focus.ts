/**
 * Where the keyboard and the screen reader are after another page was opened: at its heading, which is read
 * out. Without this they stay at a link that may no longer be there, and nobody is told of the new page. The
 * same when what they were at is taken off the page, such as the row of somebody who was removed.
 */
import { useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Dialogs give the focus back by themselves, and take a moment for it. */
const GIVEN_BACK_MS = 100;

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
  useEffect(() => whenFocusIsLost(() => heading.current?.focus({ preventScroll: true })), []);
  return heading;
}

/** Watches for what had the focus to be taken off the page, with no dialog open that would see to it. */
function whenFocusIsLost(act: () => void): () => void {
  let last: EventTarget | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const isLost = (): boolean =>
    last instanceof Element &&
    !last.isConnected &&
    document.activeElement === document.body &&
    document.querySelector('[aria-modal="true"]') === null;
  const onFocus = ({ target }: FocusEvent): void => {
    last = target;
  };
  const observer = new MutationObserver(() => {
    if (waiting !== undefined || !isLost()) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      if (isLost()) act();
    }, GIVEN_BACK_MS);
  });
  document.addEventListener('focusin', onFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', onFocus);
    observer.disconnect();
    clearTimeout(waiting);
  };
}
