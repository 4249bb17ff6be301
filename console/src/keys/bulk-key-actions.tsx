/** The actions on several selected keys: disable, enable, and revoke after typing a phrase. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSignedIn } from '#api/session.ts';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useProblemText } from '#components/problem-texts.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { keyActionsTexts } from './key-actions-texts.ts';
import { useKeyApi } from './key-api.ts';
import type { ApiKey } from './key-form.ts';
import { useKeysChanged } from './key-queries.ts';
import { mayManage } from './key-state.ts';

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
const VERBS = { disabled: 'disable', enabled: 'enable', revoked: 'revoke' } as const;

export type BulkKeyActionsProps = {
  readonly keys: readonly ApiKey[];
  /** Ends the selection. */
  readonly onDone: () => void;
};

export function BulkKeyActions({ keys, onDone }: BulkKeyActionsProps) {
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
        onConfirm={() => run.mutate({ to: 'revoked', keys: changeable })}
        isRunning={run.isPending}
        error={run.error}
      >
        {labels('revokeText')}
      </TypeToConfirm>
    </>
  );
}

type Bulk = { readonly to: Done; readonly keys: readonly ApiKey[] };

/** Returns the function that changes the keys one after the other, and ends at the first error. */
function useBulk(onDone: () => void) {
  const t = useTexts(texts);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const problemText = useProblemText();
  return useMutation({
    mutationFn: async ({ to, keys }: Bulk) => {
      for (const { id } of keys) await keyApi[VERBS[to]](id);
    },
    onSuccess: (_, { to, keys }) => {
      notifications.show({ message: t(to, { count: keys.length }) });
      onDone();
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: problemText(error) ?? error.message }),
    // Also after an error: the keys before it were changed.
    onSettled: keysChanged,
  });
}
