/** The dialogs that create and edit a key, with the same form. */
import { useRef, useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { newIdempotencyKey } from '#api/client.ts';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useSharedForm } from '#components/forms/shared-form.ts';
import { useTexts } from '#i18n/texts.ts';
import { useKeyApi } from './key-api.ts';
import { useKeyFieldNames } from './key-field-names.ts';
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
import { SecretDialog } from './secret-dialog.tsx';

type CreateKeyProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated?: (key: CreatedKey) => void;
};

/** Shows a form, and then the secret of the new key. */
export function CreateKeyDialog({ opened, onClose, onCreated }: CreateKeyProps) {
  const t = useTexts(keyFormTexts);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const show = (key: CreatedKey): void => {
    onClose();
    setCreated(key);
    onCreated?.(key);
  };
  return (
    <>
      <Dialog opened={opened} onClose={onClose} title={t('createTitle')} size="lg">
        <CreateKeyForm onClose={onClose} onCreated={show} />
      </Dialog>
      {created === null ? null : (
        <SecretDialog
          secret={created.secret}
          models={created.limits.models}
          onSaved={() => setCreated(null)}
        />
      )}
    </>
  );
}

type CreateFormProps = {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
};

/** The form. It is rendered inside the dialog, so that each opening has its own idempotency key. */
function CreateKeyForm({ onClose, onCreated }: CreateFormProps) {
  const t = useTexts(keyFormTexts);
  const [idempotencyKey] = useState(newIdempotencyKey);
  // A repeated request must not differ, so a lifetime begins when the form is first sent.
  const sentMs = useRef<number>(null);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const { form, ...sending } = useApiForm<KeyForm, CreatedKey>({
    initialValues: EMPTY_KEY_FORM,
    ...useKeyChecks(),
    send: (values) => {
      sentMs.current ??= Date.now();
      return keyApi.create(keyBodyOf(values, EMPTY_KEY_FORM, sentMs.current), idempotencyKey);
    },
    onSent: (created) => {
      onCreated(created);
      void keysChanged();
    },
  });
  return (
    <FormBody of={sending} submit={t('create')} onCancel={onClose} gap="lg">
      <KeyFields form={form} spend={null} />
    </FormBody>
  );
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
  const { id } = apiKey;
  const { form, ...sending } = useSharedForm<KeyForm, ApiKey>({
    opened: apiKey,
    valuesOf: keyFormOf,
    ...useKeyChecks(),
    fieldOf: useKeyFieldNames(),
    read: () => keyApi.read(id),
    change: (values, saved) => keyApi.change(id, keyBodyOf(values, saved.values), saved.etag),
    done: ({ name }) => t('saved', { name }),
    onSaved: async () => {
      await keysChanged();
      onClose();
    },
  });
  return (
    <FormBody of={sending} submit={t('save')} onCancel={onClose} gap="lg">
      <KeyFields form={form} spend={apiKey.spend} />
    </FormBody>
  );
}

/**
 * Returns two functions: `validate` checks the form before it is sent, and `refusal` returns the
 * message for invalid IP ranges, which only the API can check.
 */
export function useKeyChecks() {
  const t = useTexts(keyFormTexts);
  return {
    validate: (form: KeyForm, before = EMPTY_KEY_FORM): Record<string, string> => {
      const problems = keyFormProblems(form, before, localDay(new Date()));
      return Object.fromEntries(Object.entries(problems).map(([path, code]) => [path, t(code)]));
    },
    refusal: (error: Error) =>
      error instanceof ApiError && error.param?.startsWith('limits.ip_ranges') === true
        ? t('notRange')
        : null,
  };
}
