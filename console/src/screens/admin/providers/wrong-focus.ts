import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the first field with an error.
 * @param checked a value that changes whenever the form has been checked.
 * @returns the `ref` for the form.
 */
export function useWrongFocus(checked: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each check moves the focus.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [checked]);
  return form;
}
