/** The dialogs of a person: change role or account, reset password, remove. */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Dialog } from '#components/dialog.tsx';
import { FormBody } from '#components/forms/form-footer.tsx';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { useSharedForm } from '#components/forms/shared-form.ts';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useRoleName } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { budgetsOf } from '#keys/budget.ts';
import { KEYS } from '#keys/key-queries.ts';
import { stateOf } from '#keys/key-state.ts';
import { OneTimeLink } from './one-time-link.tsx';
import type { OneTime } from './people-api.ts';
import { type Person, type PersonChange, usePeopleApi, usePeopleChanged } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import { RoleSelect } from './role-select.tsx';

export type PersonDialogProps = {
  readonly person: Person;
  readonly opened: boolean;
  readonly onClose: () => void;
};

export function ChangePersonDialog({ person, opened, onClose }: PersonDialogProps) {
  const t = useTexts(peopleTexts);
  const { everywhere } = usePeopleApi();
  const title = everywhere === null ? 'roleTitle' : 'roleAndAccountTitle';
  return (
    <Dialog opened={opened} onClose={onClose} title={t(title, { name: person.name })}>
      <ChangePersonForm person={person} onClose={onClose} />
    </Dialog>
  );
}

function ChangePersonForm({ person, onClose }: Omit<PersonDialogProps, 'opened'>) {
  const t = useTexts(peopleTexts);
  const api = usePeopleApi();
  const changed = usePeopleChanged();
  const roleName = useRoleName();
  const AccountName = api.everywhere?.AccountName;
  const { form, ...sending } = useSharedForm<PersonChange, Person>({
    opened: person,
    valuesOf: ({ role, account }) => ({ role, account_id: account.id }),
    read: () => api.read(person.id),
    change: (values, { etag }) => api.change(person.id, values, etag),
    fieldOf: (path, { role, account_id: id }) =>
      path === 'role' || AccountName === undefined
        ? { label: t('role'), value: roleName(role) }
        : { label: t('account'), value: <AccountName id={id} /> },
    done: ({ name }) => t('saved', { name }),
    onSaved: async () => {
      await changed();
      onClose();
    },
  });
  const { role, account_id: accountId } = form.values;
  return (
    <FormBody
      of={sending}
      submit={t('save')}
      isDisabled={!form.isDirty() && sending.conflict === null}
      onCancel={onClose}
    >
      <RoleSelect
        {...form.getInputProps('role')}
        value={role}
        onChange={(chosen) => form.setFieldValue('role', chosen)}
      />
      {api.everywhere === null ? null : (
        <api.everywhere.AccountSelect
          description={t('accountHint')}
          value={accountId}
          valueName={person.account.name}
          allowDeselect={false}
          onChange={(id) => form.setFieldValue('account_id', id ?? person.account.id)}
          error={form.errors['account_id']}
        />
      )}
    </FormBody>
  );
}

export function PersonResetLinkDialog({ person, ...dialog }: PersonDialogProps) {
  const { resetLink } = usePeopleApi();
  return <ResetLinkDialog {...dialog} name={person.name} make={() => resetLink(person.id)} />;
}

export function RemoveTotpDialog(props: PersonDialogProps) {
  const t = useTexts(peopleTexts);
  const { everywhere } = usePeopleApi();
  const { name } = props.person;
  if (everywhere === null) return null;
  return (
    <Confirmed
      {...props}
      act={everywhere.removeTotp}
      title={t('totpTitle', { name })}
      lead={t('totpLead')}
      confirm={t('removeTotp')}
      done={t('totpGone', { name })}
    />
  );
}

/** The maximum number of keys that the dialog lists by name. */
const SHOWN_KEYS = 10;

export function RemovePersonDialog(props: PersonDialogProps) {
  const t = useTexts(peopleTexts);
  const { list } = useFormats();
  const { remove, keysOf, isOneAccount } = usePeopleApi();
  const { id, name } = props.person;
  const [isDisabling, setDisabling] = useState(false);
  const { data: keys = [] } = useQuery({
    queryKey: [...KEYS, 'of', id],
    queryFn: () => keysOf(props.person),
    enabled: props.opened,
  });
  // The playground key is not listed: removing a person always revokes it.
  const used = keys
    .filter((key) => stateOf(key, Date.now()) === 'active' && key.purpose === null)
    .map((key) => key.name);
  const names = [...used.slice(0, SHOWN_KEYS), ...(used.length > SHOWN_KEYS ? ['…'] : [])];
  const lead = (
    <Stack gap="sm">
      {t(isOneAccount ? 'removeLead' : 'removeEverywhereLead')}
      {used.length === 0 ? null : (
        <Checkbox
          label={t('disableKeys')}
          description={t('keysStay', { count: used.length, names: list(names) })}
          checked={isDisabling}
          onChange={(event) => setDisabling(event.currentTarget.checked)}
        />
      )}
      {used.length === 0 || budgetsOf(props.person).length === 0 ? null : (
        <span>{t('limitStays', { name })}</span>
      )}
    </Stack>
  );
  return (
    <Confirmed
      {...props}
      act={() => remove(id, isDisabling ? 'disable' : 'keep')}
      title={t('removeTitle', { name })}
      lead={lead}
      confirm={t('remove')}
      done={t('removed', { name })}
    />
  );
}

type ConfirmedProps = PersonDialogProps & {
  readonly act: (id: string) => Promise<unknown>;
  readonly title: string;
  readonly lead: ReactNode;
  readonly confirm: string;
  /** The message shown when the action has succeeded. */
  readonly done: string;
};

function Confirmed({ person, act, lead, done, ...dialog }: ConfirmedProps) {
  const changed = usePeopleChanged();
  return (
    <TypeToConfirm
      {...dialog}
      phrase={person.email}
      act={() => act(person.id)}
      onDone={() => {
        notifications.show({ color: 'green', message: done });
        return changed();
      }}
    >
      {lead}
    </TypeToConfirm>
  );
}

const texts = defineTexts('reset-link-dialog', {
  en: {
    title: 'Password reset link for {{name}}',
    lead: 'The link lets the person set a new password. The current password works until the new one is set.',
    make: 'Create link',
    cancel: 'Cancel',
  },
  zh: {
    title: '{{name}} 的密码重置链接',
    lead: '对方可通过该链接设置新密码；新密码设置之前，现有密码仍然有效。',
    make: '生成链接',
    cancel: '取消',
  },
});

type ResetLinkDialogProps = {
  readonly name: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly make: () => Promise<OneTime>;
};

/** The dialog that creates a link for a person who cannot sign in, to set a new password. */
function ResetLinkDialog({ name, opened, onClose, make }: ResetLinkDialogProps) {
  const t = useTexts(texts);
  const making = useMutation({ mutationFn: make });
  const made = making.data;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={making.reset}
      title={t('title', { name })}
      // A click outside must not lose a link that is shown only once.
      closeOnClickOutside={made === undefined}
    >
      {made === undefined ? (
        <Stack>
          <Text size="sm">{t('lead')}</Text>
          <FormProblem error={making.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button data-autofocus loading={making.isPending} onClick={() => making.mutate()}>
              {t('make')}
            </Button>
          </Group>
        </Stack>
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
