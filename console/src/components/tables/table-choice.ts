/** The columns and the sort order that a person chose for a table, saved in the browser. */
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { Column, Sort } from './column.ts';

/**
 * The columns and the sort order that a person chose. `shown` has only the columns whose visibility
 * differs from the default.
 */
export type Choice = { readonly shown: Readonly<Record<string, boolean>>; readonly sort: Sort };
export const NO_CHOICE: Choice = { shown: {}, sort: null };

/** Parses a saved choice. Anything invalid counts as no choice. */
export function choiceOf(text: string | undefined): Choice {
  try {
    const { shown, sort } = JSON.parse(text ?? '');
    const isSort = typeof sort?.column === 'string' && typeof sort.isDescending === 'boolean';
    const states = Object.entries(Object(shown)).filter(([, is]) => typeof is === 'boolean');
    return { shown: Object.fromEntries(states) as Choice['shown'], sort: isSort ? sort : null };
  } catch {
    return NO_CHOICE;
  }
}

/** Matches windows in which each row is a card. The same width is in `table.module.css`. */
const PHONE = '(width < 600px)';
/** The minimum window width for columns that are shown only in wide windows. */
const WIDE = '(width >= 1280px)';
const AT_ONCE = { getInitialValueInEffect: false };

export const useIsPhone = (): boolean => useMediaQuery(PHONE, false, AT_ONCE);

export type TableChoice<Row> = Choice & {
  /** The columns that are shown now. */
  readonly columns: readonly Column<Row>[];
  /** The shown columns that the table may hide if space is short. It hides the last one first. */
  readonly foldable: readonly Column<Row>[];
  readonly choose: (change: Partial<Choice>) => void;
};

/**
 * Returns the columns and the sort order that the person chose for a table.
 * @param name the name of the table. Without a name, the choice is lost when the page is left.
 */
export function useTableChoice<Row>(
  name: string | undefined,
  columns: readonly Column<Row>[],
): TableChoice<Row> {
  const [kept, keep] = useLocalStorage<Choice>({
    key: `modelgate.table.${name ?? ''}`,
    defaultValue: NO_CHOICE,
    getInitialValueInEffect: false,
    deserialize: choiceOf,
  });
  const [unkept, setUnkept] = useState(NO_CHOICE);
  const isWide = useMediaQuery(WIDE, true, AT_ONCE);
  const choice = name === undefined ? unkept : kept;
  const isShown = ({ name: column, show = 'always' }: Column<Row>): boolean =>
    choice.shown[column] ?? (show === 'wide' ? isWide : show !== 'chosen');
  const shown = columns.filter(isShown);
  return {
    ...choice,
    columns: shown,
    foldable: shown.filter(
      ({ name: column, show }) => (show === 'wide' || show === 'fits') && !choice.shown[column],
    ),
    choose: (change) => (name === undefined ? setUnkept : keep)({ ...choice, ...change }),
  };
}
