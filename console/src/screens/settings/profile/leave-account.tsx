/** The button to leave the current account, for a person with several accounts. */
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { announceSession, openPage, useAccounts, useSignedIn } from '#api/session.ts';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('leave-account', {
  en: {
    leave: 'Leave this account',
    title: 'Leave {{name}}?',
    lead: 'You lose access to this account immediately. Your other accounts are not affected. To return, you need an invitation.',
    disableKeys: 'Disable the API keys that I created',
    keysStay: 'If you do not disable these keys, they stay with the account and keep working.',
  },
  zh: {
    leave: '退出此账户',
    title: '退出 {{name}}？',
    lead: '您将立即失去对此账户的访问权限，您的其他账户不受影响。如需重新加入，需要邀请。',
    disableKeys: '停用我创建的 API 密钥',
    keysStay: '这些密钥属于该账户，不停用则继续有效。',
  },
});

export function LeaveAccount() {
  const t = useTexts(texts);
  const { account, role } = useSignedIn();
  const accounts = useAccounts();
  const [isAsked, ask] = useState(false);
  const [isDisabling, setDisabling] = useState(false);
  // An administrator cannot leave the account in which they have this role.
  if (accounts.length < 2 || role === 'administrator') return null;
  return (
    <>
      <Group>
        <Button variant="default" onClick={() => ask(true)}>
          {t('leave')}
        </Button>
      </Group>
      <TypeToConfirm
        opened={isAsked}
        onClose={() => ask(false)}
        title={t('title', { name: account.name })}
        phrase={account.name}
        confirm={t('leave')}
        act={() =>
          answerOf(
            api.DELETE('/console/api/profile/accounts/{id}', {
              params: {
                path: { id: account.id },
                query: { keys: isDisabling ? 'disable' : 'keep' },
              },
            }),
          )
        }
        onDone={() => {
          announceSession();
          openPage();
        }}
      >
        <Stack gap="sm">
          {t('lead')}
          <Checkbox
            label={t('disableKeys')}
            description={t('keysStay')}
            checked={isDisabling}
            onChange={({ currentTarget }) => setDisabling(currentTarget.checked)}
          />
        </Stack>
      </TypeToConfirm>
    </>
  );
}
