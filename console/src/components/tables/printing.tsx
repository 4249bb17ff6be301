/** Detects whether the page is being printed, so that components can adapt. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import classes from './table.module.css';

let isPrinting = false;

function subscribe(listener: () => void): () => void {
  const change = ({ type }: Event): void => {
    isPrinting = type === 'beforeprint';
    // Renders at once, because the browser prints what is on the page when this listener returns.
    flushSync(listener);
  };
  window.addEventListener('beforeprint', change);
  window.addEventListener('afterprint', change);
  return () => {
    window.removeEventListener('beforeprint', change);
    window.removeEventListener('afterprint', change);
  };
}

export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);

/** A note that appears only on paper. */
export function PrintedOnly({ children }: { readonly children: ReactNode }) {
  return children === null ? null : <p className={classes['printed']}>{children}</p>;
}
