/** Inviting somebody into any account, or into one that is made when they accept. */
import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { newIdempotencyKey } from '../../../api/client.ts';
import type { Role } from '../../../api/session.ts';
import { useApiForm } from '../../../components/forms/api-form.ts';
import { FormFooter } from '../../../components/forms/form-footer.tsx';
import { InvitationDialog, type NewInvitation } from '../../../components/invitation-dialog.tsx';
import { RoleSelect } from '../../../components/role-select.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { AccountSelect } from './account-select.tsx';
import { invite, usePeopleChanged } from './people-queries.ts';
import { peopleTexts } from './people-texts.ts';

type Invitee = {
  readonly role: Role;
  readonly email: string;
  readonly into: 'existing' | 'newAccount';
  readonly account_id: string;
  readonly account_name: string;
};

export type InviteDialogProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Into this one; left out: the administrator chooses. */
  readonly accountId?: string;
};

export function InviteDialog({ opened, onClose, accountId }: InviteDialogProps) {
  return (
    <InvitationDialog
      opened={opened}
      onClose={onClose}
      form={(onMade) => (
        <InviteForm accountId={accountId ?? null} onCancel={onClose} onMade={onMade} />
      )}
    />
  );
}

type InviteFormProps = {
  readonly accountId: string | null;
  readonly onCancel: () => void;
  readonly onMade: (made: NewInvitation) => void;
};

function useInvitation({ accountId, onMade }: InviteFormProps) {
  const t = useTexts(peopleTexts);
  const changed = usePeopleChanged();
  const [key] = useState(newIdempotencyKey);
  return useApiForm<Invitee, NewInvitation>({
    initialValues: {
      role: 'owner',
      email: '',
      into: accountId === null ? 'newAccount' : 'existing',
      account_id: accountId ?? '',
      account_name: '',
    },
    validate: ({ into, account_id: id, account_name: name }) => ({
      account_id: into === 'existing' && id === '' ? t('accountMissing') : null,
      account_name: into === 'newAccount' && name.trim() === '' ? t('accountNameWrong') : null,
    }),
    send: ({ role, email, into, account_id, account_name }) => {
      const where = into === 'existing' ? { account_id } : { account_name: account_name.trim() };
      return invite({ role, email: email.trim() === '' ? null : email.trim(), ...where }, key);
    },
    onSent: async (made) => {
      onMade(made);
      await changed();
    },
  });
}

function InviteForm(props: InviteFormProps) {
  const { accountId, onCancel } = props;
  const t = useTexts(peopleTexts);
  const { form, onSubmit, isRunning, problem } = useInvitation(props);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('inviteLead')}</Text>
        {accountId === null ? <Where form={form} /> : null}
        <RoleSelect
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
        />
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          label={t('email')}
          description={t('emailHint')}
          placeholder={t('optional')}
          data-autofocus
        />
        <FormFooter
          submit={t('makeLink')}
          isRunning={isRunning}
          problem={problem}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function Where({ form }: Pick<ReturnType<typeof useInvitation>, 'form'>) {
  const t = useTexts(peopleTexts);
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('where')}
        value={form.values.into}
        onChange={(into) => form.setFieldValue('into', into === 'existing' ? into : 'newAccount')}
        data={[
          { value: 'newAccount', label: t('newAccount') },
          { value: 'existing', label: t('existing') },
        ]}
      />
      {form.values.into === 'existing' ? (
        <AccountSelect
          value={form.values.account_id === '' ? null : form.values.account_id}
          onChange={(id) => form.setFieldValue('account_id', id ?? '')}
          error={form.errors['account_id']}
        />
      ) : (
        <TextInput
          label={t('accountName')}
          maxLength={100}
          {...form.getInputProps('account_name')}
        />
      )}
    </Stack>
  );
}
