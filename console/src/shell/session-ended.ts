/**
 * Stores whether the session ended while a form had unsaved text. If it did, the person signs in
 * again on the same page, so that the text is not lost.
 */
import { useSyncExternalStore } from 'react';

let isAsked = false;
let onChange: () => void = () => undefined;

export function setAsked(asked: boolean): void {
  isAsked = asked;
  onChange();
}

/** Covers the page with a sign-in form until the person has signed in again. */
export const askToSignIn = (): void => setAsked(true);

const subscribe = (listener: () => void) => {
  onChange = listener;
  return () => {
    onChange = () => undefined;
  };
};

export const useAsked = (): boolean => useSyncExternalStore(subscribe, () => isAsked);
