/** The dialogs that create and edit a key, with the same form. */
import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { newIdempotencyKey } from '#api/client.ts';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useKeyApi } from './key-api.ts';
import { KeyFields } from './key-fields.tsx';
import {
  type ApiKey,
  EMPTY_KEY_FORM,
  type KeyForm,
  keyBodyOf,
  keyFormOf,
  keyFormProblems,
  localDay,
} from './key-form.ts';
import { keyFormTexts } from './key-form-texts.ts';
import { type CreatedKey, useKeysChanged } from './key-queries.ts';

export type CreateKeyProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
};

export function CreateKeyDialog({ opened, onClose, onCreated }: CreateKeyProps) {
  const t = useTexts(keyFormTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('createTitle')} size="lg">
      <CreateKeyForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

/** Rendered inside the dialog, so that each opening has its own idempotency key. */
function CreateKeyForm({ onClose, onCreated }: Omit<CreateKeyProps, 'opened'>) {
  const t = useTexts(keyFormTexts);
  const [idempotencyKey] = useState(newIdempotencyKey);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const refusal = useRefusal();
  const validate = useProblems(EMPTY_KEY_FORM);
  const apiForm = useApiForm<KeyForm, CreatedKey>({
    initialValues: EMPTY_KEY_FORM,
    validate,
    refusal,
    send: (values) => keyApi.create(keyBodyOf(values), idempotencyKey),
    onSent: (created) => {
      onCreated(created);
      void keysChanged();
    },
  });
  return <KeyFormBody {...apiForm} spend={null} submit={t('create')} onClose={onClose} />;
}

export type EditKeyProps = {
  readonly apiKey: ApiKey;
  readonly opened: boolean;
  readonly onClose: () => void;
};

export function EditKeyDialog({ apiKey, opened, onClose }: EditKeyProps) {
  const t = useTexts(keyFormTexts);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('editTitle', { name: apiKey.name })}
      size="lg"
    >
      <EditKeyForm apiKey={apiKey} onClose={onClose} />
    </Dialog>
  );
}

function EditKeyForm({ apiKey, onClose }: Omit<EditKeyProps, 'opened'>) {
  const t = useTexts(keyFormTexts);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const [before] = useState(() => keyFormOf(apiKey));
  const refusal = useRefusal();
  const validate = useProblems(before);
  const apiForm = useApiForm<KeyForm, ApiKey>({
    initialValues: before,
    validate,
    refusal,
    send: (values) => keyApi.change(apiKey.id, keyBodyOf(values, before)),
    onSent: async ({ name }) => {
      await keysChanged();
      notifications.show({ message: t('saved', { name }), color: 'green' });
      onClose();
    },
  });
  return <KeyFormBody {...apiForm} spend={apiKey.spend} submit={t('save')} onClose={onClose} />;
}

type KeyFormBodyProps = ReturnType<typeof useApiForm<KeyForm, unknown>> & {
  readonly spend: ApiKey['spend'] | null;
  readonly submit: string;
  readonly onClose: () => void;
};

function KeyFormBody(props: KeyFormBodyProps) {
  const { form, onSubmit, isRunning, problem, spend, submit, onClose } = props;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="lg">
        <KeyFields form={form} spend={spend} />
        <FormFooter submit={submit} isRunning={isRunning} problem={problem} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** Returns the message for an invalid IP range, which only the API can detect. */
function useRefusal(): (error: Error) => string | null {
  const t = useTexts(keyFormTexts);
  return (error) =>
    error instanceof ApiError && error.param?.startsWith('limits.ip_ranges') === true
      ? t('notRange')
      : null;
}

/** Returns the validation of the form, with error messages in the person's language. */
function useProblems(before: KeyForm) {
  const t = useTexts(keyFormTexts);
  return (form: KeyForm): Record<string, string> => {
    const problems = keyFormProblems(form, before, localDay(new Date()));
    return Object.fromEntries(Object.entries(problems).map(([path, code]) => [path, t(code)]));
  };
}
