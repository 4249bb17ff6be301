/** The columns of a list of keys, and the actions on its selected rows. */

import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSignedIn } from '#api/session.ts';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { ShortTime } from '#components/moment.tsx';
import { useProblemText } from '#components/problem-texts.ts';
import { actionColumn, textColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import type { Selecting } from '#components/tables/selection.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Spend } from './budget-bar.tsx';
import { KeyActions, turnKey } from './key-actions.tsx';
import { keyActionsTexts } from './key-actions-texts.ts';
import { useKeyApi } from './key-api.ts';
import type { ApiKey } from './key-form.ts';
import { useKeysChanged } from './key-queries.ts';
import { creatorOf, mayManage, scopeNames, stateOf } from './key-state.ts';
import { KeyStatus } from './key-status.tsx';
import { keyTexts } from './key-texts.ts';

export const SELECTING_KEYS: Selecting<ApiKey> = {
  nameOf: ({ name }) => name,
  actions: (keys, clear) => <BulkKeyActions keys={keys} onDone={clear} />,
};

/** The options of a column that is hidden until the person chooses to show it. */
const HIDDEN = { show: 'chosen', phone: 'hidden' } as const;

export type KeyColumnsOptions = {
  /** The cell with the name of a key. */
  readonly name: (key: ApiKey) => ReactNode;
  /** Returns whether the person may change a key; null if they may not change any key. */
  readonly isManaged: ((key: ApiKey) => boolean) | null;
};

export function useKeyColumns({ name, isManaged }: KeyColumnsOptions): readonly Column<ApiKey>[] {
  const t = useTexts(keyTexts);
  const { list } = useFormats();
  const time = (name: 'lastUsed' | 'created' | 'ends', of: (key: ApiKey) => string | null) => ({
    name,
    heading: t(name),
    cell: (key: ApiKey) => <Time at={of(key)} />,
    value: of,
  });
  const columns: readonly Column<ApiKey>[] = [
    { name: 'name', heading: t('name'), phone: 'title', cell: name, value: ({ name }) => name },
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
      cell: (key) => <Spend of={key} />,
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
    textColumn('scopes', t('scopes'), ({ scopes }) => list(scopeNames(t, scopes)), HIDDEN),
    textColumn('createdBy', t('createdBy'), (key) => creatorOf(t, key) ?? '', HIDDEN),
  ];
  if (isManaged === null) return columns;
  const actions: Column<ApiKey> = actionColumn(t('actions'), (key) =>
    isManaged(key) ? <KeyActions apiKey={key} /> : null,
  );
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

const texts = defineTexts('bulk-key-actions', {
  en: {
    title_one: 'Revoke {{count}} key?',
    title_other: 'Revoke {{count}} keys?',
    phrase_one: 'revoke {{count}} key',
    phrase_other: 'revoke {{count}} keys',
    disabled_one: '{{count}} key is disabled',
    disabled_other: '{{count}} keys are disabled',
    enabled_one: '{{count}} key is enabled',
    enabled_other: '{{count}} keys are enabled',
    revoked_one: '{{count}} key is revoked',
    revoked_other: '{{count}} keys are revoked',
  },
  zh: {
    title_one: '吊销 {{count}} 个密钥？',
    title_other: '吊销 {{count}} 个密钥？',
    phrase_one: '吊销 {{count}} 个密钥',
    phrase_other: '吊销 {{count}} 个密钥',
    disabled_one: '已停用 {{count}} 个密钥',
    disabled_other: '已停用 {{count}} 个密钥',
    enabled_one: '已启用 {{count}} 个密钥',
    enabled_other: '已启用 {{count}} 个密钥',
    revoked_one: '已吊销 {{count}} 个密钥',
    revoked_other: '已吊销 {{count}} 个密钥',
  },
});

type Done = 'disabled' | 'enabled' | 'revoked';

type BulkKeyActionsProps = {
  readonly keys: readonly ApiKey[];
  /** Called after the action, to clear the selection. */
  readonly onDone: () => void;
};

/** The actions on several selected keys: disable, enable, and revoke after typing a phrase. */
function BulkKeyActions({ keys, onDone }: BulkKeyActionsProps) {
  const t = useTexts(texts);
  const labels = useTexts(keyActionsTexts);
  const person = useSignedIn();
  const [isAsking, setAsking] = useState(false);
  const run = useBulk(onDone);
  const changeable = keys.filter((key) => key.status !== 'revoked' && mayManage(person, key));
  const withStatus = (status: ApiKey['status']) =>
    changeable.filter((key) => key.status === status);
  const change = (to: Done, chosen: readonly ApiKey[]) => ({
    size: 'xs',
    variant: 'default',
    disabled: chosen.length === 0,
    loading: run.isPending && run.variables.to === to,
    onClick: () => run.mutate({ to, keys: chosen }),
  });
  const count = changeable.length;
  return (
    <>
      <Button {...change('disabled', withStatus('active'))}>{labels('disable')}</Button>
      <Button {...change('enabled', withStatus('disabled'))}>{labels('enable')}</Button>
      <Button
        size="xs"
        variant="light"
        color="red"
        disabled={count === 0}
        onClick={() => setAsking(true)}
      >
        {labels('revoke')}
      </Button>
      <TypeToConfirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('title', { count })}
        phrase={t('phrase', { count })}
        confirm={labels('revoke')}
        act={() => run.mutateAsync({ to: 'revoked', keys: changeable })}
      >
        {labels('revokeText')}
      </TypeToConfirm>
    </>
  );
}

type Bulk = { readonly to: Done; readonly keys: readonly ApiKey[] };

/** Returns a function that changes the keys one after the other and stops at the first error. */
function useBulk(onDone: () => void) {
  const t = useTexts(texts);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const problemText = useProblemText();
  return useMutation({
    mutationFn: async ({ to, keys }: Bulk) => {
      for (const key of keys) {
        await (to === 'revoked' ? keyApi.revoke(key.id) : turnKey(keyApi, key, to));
      }
    },
    onSuccess: (_, { to, keys }) => {
      notifications.show({ message: t(to, { count: keys.length }) });
      onDone();
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: problemText(error) ?? error.message }),
    // Refreshes the keys also after an error, because earlier keys may have been changed.
    onSettled: keysChanged,
  });
}
