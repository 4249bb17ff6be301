/** Says in words who made a revision, where it came from, and what it changed. */
import { NOTHING } from '#components/tables/column.ts';
import { useTexts } from '#i18n/texts.ts';
import type { Revision } from './history-queries.ts';
import { historyTexts } from './history-texts.ts';

type Actor = Pick<Revision, 'by' | 'by_name'>;
type Source = Pick<Revision, 'origin' | 'restored'>;

export function useActor(): (revision: Actor) => string {
  const t = useTexts(historyTexts);
  return ({ by, by_name: name }) => (by === 'admin' || by === 'system' ? t(by) : (name ?? by));
}

export function useOrigin(): (revision: Source) => string {
  const t = useTexts(historyTexts);
  return ({ origin, restored }) =>
    origin === 'restore' ? t('restore', { revision: restored ?? NOTHING }) : t(origin);
}

/**
 * Returns a function that names the first changed setting and counts the others. The function
 * returns null if the revision has no changes, or if the API did not count them.
 */
export function useChanges(): (revision: Revision) => string | null {
  const t = useTexts(historyTexts);
  return ({ changes_count: count, paths: [path] }) => {
    if (count === null || path === undefined) return null;
    return count === 1 ? path : t('more', { path, count: count - 1 });
  };
}
