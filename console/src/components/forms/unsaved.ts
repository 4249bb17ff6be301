/** Tracks which forms contain typed text that is not saved. */
import { createContext, useContext, useEffect, useId, useMemo } from 'react';

/** The unsaved forms of a page or of a dialog. */
class UnsavedForms {
  readonly #forms = new Set<string>();
  readonly #outer: UnsavedForms | null;

  constructor(outer: UnsavedForms | null) {
    this.#outer = outer;
  }

  get any(): boolean {
    return this.#forms.size > 0;
  }

  add(form: string): void {
    this.#forms.add(form);
    this.#outer?.add(form);
  }

  remove(form: string): void {
    this.#forms.delete(form);
    this.#outer?.remove(form);
  }

  /** Removes all forms, so that closing the dialog or leaving the page asks for no confirmation. */
  forget(): void {
    for (const form of this.#forms) this.remove(form);
  }
}

const onPage = new UnsavedForms(null);
const Scope = createContext(onPage);
export const UnsavedScope = Scope.Provider;

/** Whether a form of the page contains typed text that is not saved. */
export const hasUnsaved = (): boolean => onPage.any;
export const forgetUnsaved = (): void => onPage.forget();

/** The unsaved forms of the dialog around the component, or of the page if there is no dialog. */
export const useUnsavedForms = (): UnsavedForms => useContext(Scope);

/** Creates the record of the unsaved forms within a dialog. */
export function useUnsavedScope(): UnsavedForms {
  const outer = useContext(Scope);
  return useMemo(() => new UnsavedForms(outer), [outer]);
}

/**
 * Records whether the form has unsaved text. Returns a function that marks the form as saved at
 * once.
 */
export function useUnsaved(isUnsaved: boolean): () => void {
  const forms = useContext(Scope);
  const form = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    forms.add(form);
    return () => forms.remove(form);
  }, [isUnsaved, forms, form]);
  return () => forms.remove(form);
}
