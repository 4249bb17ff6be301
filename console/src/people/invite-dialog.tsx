/** The dialog that invites a person: a form, then the link to send. */
import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import type { Role } from '#api/session.ts';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { OneTimeLink } from './one-time-link.tsx';
import {
  type AccountField,
  type NewInvitation,
  usePeopleApi,
  usePeopleChanged,
} from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import { RoleSelect } from './role-select.tsx';

type InviteValues = {
  readonly role: Role;
  readonly email: string;
  readonly into: 'own' | 'existing' | 'newAccount';
  readonly account_id: string;
  readonly account_name: string;
};

export type InviteDialogProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  /**
   * The account that the invited person joins. If it is omitted, an administrator chooses or
   * creates an account, and an owner invites to their own account.
   */
  readonly accountId?: string;
};

export function InviteDialog({ opened, onClose, ...into }: InviteDialogProps) {
  const t = useTexts(peopleTexts);
  const [made, setMade] = useState<NewInvitation | null>(null);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(null)}
      title={t(made === null ? 'inviteTitle' : 'linkTitle')}
      // A click outside must not lose a link that is shown only once.
      closeOnClickOutside={made === null}
    >
      {made === null ? (
        <InviteForm {...into} onCancel={onClose} onMade={setMade} />
      ) : (
        <OneTimeLink
          url={made.url}
          expiresAt={made.expires_at}
          mailedTo={made.emailed_to}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

type InviteFormProps = Pick<InviteDialogProps, 'accountId'> & {
  readonly onCancel: () => void;
  readonly onMade: (made: NewInvitation) => void;
};

function useInvitation({ accountId, onMade }: InviteFormProps) {
  const t = useTexts(peopleTexts);
  const api = usePeopleApi();
  const changed = usePeopleChanged();
  const [key] = useState(newIdempotencyKey);
  const isOwn = accountId === undefined && api.everywhere === null;
  return useApiForm<InviteValues, NewInvitation>({
    initialValues: {
      role: isOwn ? 'member' : 'owner',
      email: '',
      into: isOwn ? 'own' : accountId === undefined ? 'newAccount' : 'existing',
      account_id: accountId ?? '',
      account_name: '',
    },
    validate: ({ into, account_id: id, account_name: name }) => ({
      account_id: into === 'existing' && id === '' ? t('accountMissing') : null,
      account_name: into === 'newAccount' && name.trim() === '' ? t('accountNameWrong') : null,
    }),
    send: ({ role, email, into, account_id, account_name }) => {
      const where = {
        own: {},
        existing: { account_id },
        newAccount: { account_name: account_name.trim() },
      }[into];
      return api.invite({ role, email: email.trim() === '' ? null : email.trim(), ...where }, key);
    },
    onSent: async (made) => {
      onMade(made);
      await changed();
    },
  });
}

function InviteForm(props: InviteFormProps) {
  const { accountId, onCancel } = props;
  const { everywhere } = usePeopleApi();
  const t = useTexts(peopleTexts);
  const { form, ...sending } = useInvitation(props);
  return (
    <FormBody of={sending} submit={t('makeLink')} onCancel={onCancel}>
      <Text size="sm">{t('inviteLead')}</Text>
      {everywhere === null || accountId !== undefined ? null : (
        <Where form={form} AccountSelect={everywhere.AccountSelect} />
      )}
      <RoleSelect
        {...form.getInputProps('role')}
        value={form.values.role}
        onChange={(role) => form.setFieldValue('role', role)}
      />
      <TextInput
        maxLength={254}
        {...form.getInputProps('email')}
        type="email"
        label={t('email')}
        description={t('emailHint')}
        placeholder={t('optional')}
        data-autofocus
      />
    </FormBody>
  );
}

type WhereProps = Pick<ReturnType<typeof useInvitation>, 'form'> & {
  readonly AccountSelect: ComponentType<AccountField>;
};

function Where({ form, AccountSelect }: WhereProps) {
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
