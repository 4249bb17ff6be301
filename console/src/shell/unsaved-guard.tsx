/** Asks before a page with a half-filled form is left or reloaded. */
import { useBlocker } from '@tanstack/react-router';
import { DiscardQuestion } from '#components/forms/discard-question.tsx';
import { forgetUnsaved, hasUnsaved } from '#components/forms/unsaved.ts';

/** The search parameters that replace forms: the tab of a page, and the dialog of a new key. */
const REPLACING = ['tab', 'new'] as const;

type Place = { readonly pathname: string; readonly search: object };

const isSamePlace = (a: Place, b: Place): boolean =>
  a.pathname === b.pathname &&
  REPLACING.every((name) => Reflect.get(a.search, name) === Reflect.get(b.search, name));

export function UnsavedGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved() && !isSamePlace(current, next),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  return (
    <DiscardQuestion
      opened={status === 'blocked'}
      onKeep={() => reset?.()}
      onDiscard={() => {
        forgetUnsaved();
        proceed?.();
      }}
    />
  );
}
