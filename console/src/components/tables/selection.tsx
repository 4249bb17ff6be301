/** The selected rows of a table, and the line with bulk actions on them. */
import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('table-selection', {
  en: {
    selected: '{{count}} selected',
    clear: 'Clear selection',
    actions: 'Actions for the selection',
  },
  zh: { selected: '已选 {{count}} 项', clear: '取消选择', actions: '对所选项的操作' },
});

export type Selecting<Row> = {
  /** Returns the name of a row for its checkbox. */
  readonly nameOf: (row: Row) => string;
  /** Whether a row is selected when the table appears. Default: no row is. */
  readonly isPreselected?: (row: Row) => boolean;
  /** The buttons that act on the selected rows. */
  readonly actions: (rows: readonly Row[], clear: () => void) => ReactNode;
};

export type Selection<Row> = Selecting<Row> & {
  /** The rows that are both selected and shown. */
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  readonly isAll: boolean;
  readonly toggle: (row: Row) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
};

/** Returns the selection; null when rows cannot be selected. */
export function useSelection<Row>(
  selecting: Selecting<Row> | undefined,
  shown: readonly Row[],
  keyOf: (row: Row) => string | number,
): Selection<Row> | null {
  const [keys, setKeys] = useState<ReadonlySet<string | number>>(
    () => new Set(shown.filter((row) => selecting?.isPreselected?.(row) === true).map(keyOf)),
  );
  if (selecting === undefined) return null;
  const has = (row: Row): boolean => keys.has(keyOf(row));
  const rows = keys.size === 0 ? [] : shown.filter(has);
  const isAll = rows.length > 0 && rows.length === shown.length;
  const clear = (): void => setKeys(new Set());
  return {
    ...{ ...selecting, rows, has, isAll, clear },
    toggle: (row) => setKeys(new Set([keyOf(row)]).symmetricDifference(keys)),
    toggleAll: () => setKeys(new Set(isAll ? [] : shown.map(keyOf))),
  };
}

export function SelectionBar<Row>({ selection }: { readonly selection: Selection<Row> }) {
  const t = useTexts(texts);
  const { rows, actions, clear } = selection;
  return (
    <Group gap="xs" role="group" aria-label={t('actions')}>
      <Text size="sm" role="status">
        {t('selected', { count: rows.length })}
      </Text>
      {actions(rows, clear)}
      <Button size="xs" variant="subtle" color="gray" onClick={clear}>
        {t('clear')}
      </Button>
    </Group>
  );
}
