/** The dialog that creates an account and opens its page. */
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, newIdempotencyKey } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useAccountsChanged } from './account-queries.ts';
import { accountsTexts } from './accounts-texts.ts';

export type NewAccountDialogProps = { readonly opened: boolean; readonly onClose: () => void };

export function NewAccountDialog({ opened, onClose }: NewAccountDialogProps) {
  const t = useTexts(accountsTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('createTitle')}>
      <NewAccountForm onClose={onClose} />
    </Dialog>
  );
}

type NewAccount = { readonly name: string; readonly allow_exchange: boolean };

function NewAccountForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(accountsTexts);
  const navigate = useNavigate();
  const changed = useAccountsChanged();
  const [key] = useState(newIdempotencyKey);
  const { form, onSubmit, isRunning, problem } = useApiForm<
    NewAccount,
    components['schemas']['Account']
  >({
    initialValues: { name: '', allow_exchange: true },
    validate: ({ name }) => ({ name: name.trim() === '' ? t('nameWrong') : null }),
    send: (body) =>
      answerOf(api.POST('/admin/v1/accounts', { headers: { 'Idempotency-Key': key }, body })),
    onSent: async ({ id, name }) => {
      await changed();
      notifications.show({ color: 'green', message: t('made', { name }) });
      await navigate({ to: '/admin/accounts/$id', params: { id } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label={t('nameLabel')}
          description={t('nameHint')}
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Checkbox
          label={t('allowExchange')}
          {...form.getInputProps('allow_exchange', { type: 'checkbox' })}
        />
        <FormFooter
          submit={t('create')}
          isRunning={isRunning}
          problem={problem}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
