/** The status of an account, and the buttons that change it. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeAsShown } from '#api/change-as-shown.ts';
import { answerOf, api, taggedPath } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useProblemText } from '#components/problem-texts.ts';
import { Status } from '#components/status.tsx';
import { useTexts } from '#i18n/texts.ts';
import { type Account, readAccount, useAccountsChanged } from './account-queries.ts';
import { accountsTexts } from './accounts-texts.ts';

type Standing = Pick<Account, 'status' | 'expires_at'>;

const TONES = { active: 'good', suspended: 'bad', expired: 'attention' } as const;

/** Returns the state of an account, which is also the key of its text. */
export function accountStateOf({ status, expires_at: end }: Standing): keyof typeof TONES {
  const isOver = end !== null && Date.parse(end) <= Date.now();
  return status === 'active' && isOver ? 'expired' : status;
}

export function AccountStatus({ account }: { readonly account: Standing }) {
  const t = useTexts(accountsTexts);
  const state = accountStateOf(account);
  return <Status tone={TONES[state]}>{t(state)}</Status>;
}

export function SuspendButton({ account }: { readonly account: Account }) {
  const t = useTexts(accountsTexts);
  const problemText = useProblemText();
  const changed = useAccountsChanged();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (status: Account['status']) =>
      changeAsShown<components['schemas']['Account']>(account, {
        change: (etag) =>
          answerOf(
            api.PATCH('/admin/v1/accounts/{id}', {
              ...taggedPath(account.id, etag),
              body: { status },
            }),
          ),
        read: () => readAccount(account.id),
        partOf: (settings) => settings.status,
      }),
    onSuccess: async ({ settings: { name, status }, isOthers }) => {
      await changed();
      const [key, before] =
        status === 'active'
          ? (['isRestored', 'restoredBefore'] as const)
          : (['isSuspended', 'suspendedBefore'] as const);
      notifications.show({
        color: status === 'active' ? 'green' : 'yellow',
        message: t(isOthers ? before : key, { name }),
      });
    },
    onError: (error) => {
      if (account.status === 'active') return;
      notifications.show({ color: 'red', message: problemText(error) ?? error.message });
    },
  });
  if (account.status === 'suspended') {
    return (
      <Button loading={change.isPending} onClick={() => change.mutate('active')}>
        {t('restore')}
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('suspend')}
      </Button>
      <TypeToConfirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('suspendTitle', { name: account.name })}
        phrase={account.name}
        confirm={t('suspend')}
        act={() => change.mutateAsync('suspended')}
      >
        {t('suspendLead')}
      </TypeToConfirm>
    </>
  );
}
