/**
 * Remembers whether the session ended while a form had unsaved text. The person then signs in on
 * the same page.
 */
import { useSyncExternalStore } from 'react';

let isAsked = false;
let onChange: () => void = () => undefined;

export function setAsked(asked: boolean): void {
  isAsked = asked;
  onChange();
}

/** Covers the page until the person has signed in again. */
export const askToSignIn = (): void => setAsked(true);

const subscribe = (listener: () => void) => {
  onChange = listener;
  return () => {
    onChange = () => undefined;
  };
};

export const useAsked = (): boolean => useSyncExternalStore(subscribe, () => isAsked);
