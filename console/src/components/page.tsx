/** The frame of a screen. Its title is both the heading and the browser tab's title. */
import { Stack, Text, Title } from '@mantine/core';
import { useMatch } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { siteName } from '#api/brand.ts';
import classes from './page.module.css';

export type PageProps = {
  readonly title: string;
  /** A link above the title to the list that the page belongs to. */
  readonly parent?: ReactNode;
  readonly lead?: ReactNode;
  /** The main action buttons at the end of the title line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** The maximum width of a page. On a wider page, the two ends of a line would be too far apart. */
const WIDTH_PX = 1440;

export function Page({ title, parent, lead, actions, children }: PageProps) {
  const heading = usePageFocus();
  useEffect(() => {
    document.title = `${title} · ${siteName()}`;
  }, [title]);
  return (
    <Stack gap="md" w="100%" maw={WIDTH_PX} mx="auto">
      <div className={classes['head']}>
        {parent === undefined ? null : (
          <Text size="sm" className={classes['parent'] ?? ''}>
            {parent}
          </Text>
        )}
        <Title ref={heading} tabIndex={-1} order={1} size="h2">
          {title}
        </Title>
        {lead === undefined ? null : (
          <div className={classes['lead']}>
            <div>{lead}</div>
          </div>
        )}
        {actions === undefined ? null : <div className={classes['actions']}>{actions}</div>}
      </div>
      {children}
    </Stack>
  );
}

/**
 * The time after which a removed element's focus counts as lost. A closing dialog gives the focus
 * back to an element within this time.
 */
const GIVEN_BACK_MS = 100;

/** True until a second page is opened. The browser itself announces the first page. */
let isFirstPage = true;

/**
 * Moves the focus to the heading of a newly opened page, which screen readers then announce.
 * Without this, the focus would stay on a link that may be gone. The focus also moves there
 * when the focused element is removed, such as the row of a removed member.
 * @returns the `ref` for the heading, which also needs `tabIndex={-1}`.
 */
function usePageFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  // The URL path of the page that is shown. The router's location changes earlier, while the
  // previous page is still shown.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page.
  useEffect(() => {
    // A field with autofocus already has the focus and keeps it.
    const isTaken = document.activeElement?.closest('main') != null;
    if (!isFirstPage && !isTaken) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [pathname]);
  useEffect(() => whenFocusIsLost(() => heading.current?.focus({ preventScroll: true })), []);
  return heading;
}

/**
 * Calls `act` when the focused element was removed, unless a dialog is open. Returns a function
 * that ends these calls.
 */
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
