/** The dialogs of a person: change role or account, reset password, remove. */
import { Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useTexts } from '#i18n/texts.ts';
import { type Person, type PersonChange, usePeopleApi, usePeopleChanged } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import { ResetLinkDialog } from './reset-link-dialog.tsx';
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
  const before = { role: person.role, account_id: person.account.id };
  const { form, onSubmit, isRunning, problem } = useApiForm<PersonChange, Person>({
    initialValues: before,
    send: ({ role, account_id: accountId }) =>
      api.change(person.id, { role, account_id: accountId.trim() }),
    onSent: async ({ name }) => {
      await changed();
      notifications.show({ color: 'green', message: t('saved', { name }) });
      onClose();
    },
  });
  const { role, account_id: accountId } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <RoleSelect
          {...form.getInputProps('role')}
          value={role}
          onChange={(chosen) => form.setFieldValue('role', chosen)}
        />
        {api.everywhere === null ? null : (
          <TextInput
            label={t('accountId')}
            description={t('accountIdHint')}
            ff="monospace"
            {...form.getInputProps('account_id')}
          />
        )}
        <FormFooter
          submit={t('save')}
          isRunning={isRunning}
          isDisabled={role === before.role && accountId.trim() === before.account_id}
          problem={problem}
          onCancel={onClose}
        />
      </Stack>
    </form>
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

export function RemovePersonDialog(props: PersonDialogProps) {
  const t = useTexts(peopleTexts);
  const { remove } = usePeopleApi();
  const { name } = props.person;
  return (
    <Confirmed
      {...props}
      act={remove}
      title={t('removeTitle', { name })}
      lead={t('removeLead')}
      confirm={t('remove')}
      done={t('removed', { name })}
    />
  );
}

type ConfirmedProps = PersonDialogProps & {
  readonly act: (id: string) => Promise<unknown>;
  readonly title: string;
  readonly lead: string;
  readonly confirm: string;
  /** The message shown when the action has succeeded. */
  readonly done: string;
};

function Confirmed({ person, act, lead, done, onClose, ...dialog }: ConfirmedProps) {
  const changed = usePeopleChanged();
  const acting = useMutation({
    mutationFn: () => act(person.id),
    onSuccess: async () => {
      onClose();
      notifications.show({ color: 'green', message: done });
      await changed();
    },
  });
  return (
    <TypeToConfirm
      {...dialog}
      onClose={() => {
        acting.reset();
        onClose();
      }}
      phrase={person.email}
      onConfirm={() => acting.mutate()}
      isRunning={acting.isPending}
      error={acting.error}
    >
      {lead}
    </TypeToConfirm>
  );
}
