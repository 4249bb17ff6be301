/**
 * Moves the focus to the heading of a newly opened page, which screen readers then announce.
 * Otherwise it would stay on a link that may be gone. The same applies when the focused element is
 * removed, such as the row of a removed member.
 */
import { useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Dialogs restore the focus themselves after a short delay. */
const GIVEN_BACK_MS = 100;

/** The browser announces the first page itself. */
let isFirstPage = true;

/** @returns the `ref` for the page's heading, which also needs `tabIndex={-1}`. */
export function usePageFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  // The page's own address: the router's location already belongs to the next page while this one
  // is shown.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page.
  useEffect(() => {
    // A field with autofocus keeps the focus.
    const isTaken = document.activeElement?.closest('main') != null;
    if (!isFirstPage && !isTaken) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [pathname]);
  useEffect(() => whenFocusIsLost(() => heading.current?.focus({ preventScroll: true })), []);
  return heading;
}

/** Detects that the focused element was removed while no dialog is open. */
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
