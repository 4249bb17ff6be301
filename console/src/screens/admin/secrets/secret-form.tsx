/** The dialogs that store a secret, or delete a secret that no setting uses. */
import { Button, Group, List, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useTexts } from '#i18n/texts.ts';
import {
  deleteSecret,
  type StoredSecret,
  saveSecret,
  useSecretsChanged,
} from './secret-queries.ts';
import { secretTexts } from './secrets-texts.ts';

export type SecretFormProps = {
  /** The name of the secret to set; empty for a new one. */
  readonly name: string;
  /** The names of existing secrets. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
};

export function SecretFormDialog({
  of,
  onClose,
  taken,
}: Omit<SecretFormProps, 'name'> & { readonly of: string | null }) {
  const t = useTexts(secretTexts);
  const title = of === null || of === '' ? t('addTitle') : t('setTitle', { name: of });
  return (
    <Dialog opened={of !== null} onClose={onClose} title={title}>
      {of === null ? null : <SecretForm name={of} taken={taken} onClose={onClose} />}
    </Dialog>
  );
}

function SecretForm({ name, taken, onClose }: SecretFormProps) {
  const t = useTexts(secretTexts);
  const changed = useSecretsChanged();
  const { form, ...sending } = useApiForm({
    initialValues: { name, value: '' },
    send: (values) => saveSecret(values.name.trim(), values.value),
    onSent: async (saved) => {
      await changed();
      notifications.show({ message: t('saved', { name: saved.name }), color: 'green' });
      onClose();
    },
  });
  const typed = form.values.name.trim();
  const reference = `\${secret:${typed === '' ? 'NAME' : typed}}`;
  return (
    <FormBody
      of={sending}
      submit={t('save')}
      isDisabled={typed === '' || form.values.value === ''}
      onCancel={onClose}
    >
      {name === '' ? (
        <TextInput
          label={t('name')}
          description={taken.includes(typed) ? t('takenHint') : t('nameHint', { reference })}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('name')}
        />
      ) : null}
      <PasswordInput
        label={t('value')}
        description={t('valueHint')}
        autoComplete="off"
        {...(name === '' ? {} : { 'data-autofocus': true })}
        {...form.getInputProps('value')}
      />
    </FormBody>
  );
}

type DeleteSecretProps = {
  /** The secret to delete; null while the dialog is closed. */
  readonly secret: StoredSecret | null;
  readonly onClose: () => void;
};

export function DeleteSecretDialog({ secret, onClose }: DeleteSecretProps) {
  const t = useTexts(secretTexts);
  const changed = useSecretsChanged();
  if (secret === null) return null;
  const { name, used_by: users } = secret;
  if (users.length > 0) return <InUseDialog name={name} users={users} onClose={onClose} />;
  return (
    <TypeToConfirm
      opened
      onClose={onClose}
      title={t('removeTitle', { name })}
      phrase={name}
      confirm={t('confirm')}
      act={() => deleteSecret(name)}
      onDone={() => {
        notifications.show({ message: t('removed', { name }) });
        return changed();
      }}
    >
      {t('removeText')}
    </TypeToConfirm>
  );
}

type InUseProps = {
  readonly name: string;
  readonly users: readonly string[];
  readonly onClose: () => void;
};

function InUseDialog({ name, users, onClose }: InUseProps) {
  const t = useTexts(secretTexts);
  return (
    <Dialog opened onClose={onClose} title={t('inUse', { name })}>
      <Stack>
        <Text size="sm">{t('inUseText')}</Text>
        <List size="sm">
          {users.map((path) => (
            <List.Item key={path} ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
              {path}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
