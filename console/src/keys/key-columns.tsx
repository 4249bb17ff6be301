/** The columns of a list of keys, and the actions on its selected rows. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ShortTime } from '#components/moment.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import type { Selecting } from '#components/tables/selection.tsx';
import { useTexts } from '#i18n/texts.ts';
import { BulkKeyActions } from './bulk-key-actions.tsx';
import { KeyActions } from './key-actions.tsx';
import type { ApiKey } from './key-form.ts';
import { KeySpend } from './key-spend.tsx';
import { stateOf } from './key-state.ts';
import { KeyStatus } from './key-status.tsx';
import { keyTexts } from './key-texts.ts';

export const SELECTING_KEYS: Selecting<ApiKey> = {
  nameOf: ({ name }) => name,
  actions: (keys, clear) => <BulkKeyActions keys={keys} onDone={clear} />,
};

export type KeyColumnsOptions = {
  /** The cell with the name of a key. */
  readonly name: (key: ApiKey) => ReactNode;
  /** Whether the person may change a key; null if they may change none. */
  readonly isManaged: ((key: ApiKey) => boolean) | null;
};

export function useKeyColumns({ name, isManaged }: KeyColumnsOptions): readonly Column<ApiKey>[] {
  const t = useTexts(keyTexts);
  const time = (name: 'lastUsed' | 'created' | 'ends', of: (key: ApiKey) => string | null) => ({
    name,
    heading: t(name),
    cell: (key: ApiKey) => <Time at={of(key)} />,
    value: of,
  });
  const columns: readonly Column<ApiKey>[] = [
    {
      name: 'name',
      heading: t('name'),
      phone: 'title',
      cell: name,
      value: ({ name }) => name,
    },
    {
      name: 'status',
      heading: t('status'),
      phone: 'state',
      cell: (key) => <KeyStatus apiKey={key} />,
      value: (key) => t(stateOf(key, Date.now())),
    },
    {
      name: 'spend',
      heading: t('spend'),
      phone: 'amount',
      cell: (key) => <KeySpend apiKey={key} />,
      value: ({ spend }) => spend.month.spent,
    },
    {
      name: 'key',
      heading: t('key'),
      show: 'wide',
      phone: 'hidden',
      cell: ({ masked }) => (
        <Text span c="dimmed" ff="monospace" fz="xs" style={{ whiteSpace: 'nowrap' }}>
          {masked}
        </Text>
      ),
      value: ({ masked }) => masked,
    },
    time('lastUsed', ({ last_used_at: at }) => at),
    { ...time('created', ({ created_at: at }) => at), show: 'wide', phone: 'hidden' },
    { ...time('ends', ({ expires_at: at }) => at), show: 'chosen', phone: 'hidden' },
  ];
  if (isManaged === null) return columns;
  const actions: Column<ApiKey> = {
    name: 'actions',
    heading: t('actions'),
    end: true,
    phone: 'action',
    cell: (key) => (isManaged(key) ? <KeyActions apiKey={key} /> : null),
  };
  return [...columns, actions];
}

function Time({ at }: { readonly at: string | null }) {
  const t = useTexts(keyTexts);
  if (at !== null) return <ShortTime at={at} />;
  return (
    <Text span inherit c="dimmed">
      {t('never')}
    </Text>
  );
}
