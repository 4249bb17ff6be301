/** Another role, or another account, for somebody. */
import { Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Dialog } from '../../../components/dialog.tsx';
import { useApiForm } from '../../../components/forms/api-form.ts';
import { FormFooter } from '../../../components/forms/form-footer.tsx';
import { RoleSelect } from '../../../components/role-select.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import {
  changePerson,
  type Person,
  type PersonChange,
  usePeopleChanged,
} from './people-queries.ts';
import { peopleTexts } from './people-texts.ts';
import type { PersonDialogProps } from './person-menu.tsx';

export function ChangePersonDialog({ person, opened, onClose }: PersonDialogProps) {
  const t = useTexts(peopleTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('roleTitle', { name: person.name })}>
      <ChangePersonForm person={person} onClose={onClose} />
    </Dialog>
  );
}

function ChangePersonForm({ person, onClose }: Omit<PersonDialogProps, 'opened'>) {
  const t = useTexts(peopleTexts);
  const changed = usePeopleChanged();
  const { form, onSubmit, isRunning, problem } = useApiForm<PersonChange, Person>({
    initialValues: { role: person.role, account_id: person.account.id },
    send: ({ role, account_id: accountId }) =>
      changePerson(person.id, { role, account_id: accountId.trim() }),
    onSent: async ({ name }) => {
      await changed();
      notifications.show({ color: 'green', message: t('saved', { name }) });
      onClose();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <RoleSelect
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
        />
        <TextInput
          label={t('accountId')}
          description={t('accountIdHint')}
          ff="monospace"
          {...form.getInputProps('account_id')}
        />
        <FormFooter submit={t('save')} isRunning={isRunning} problem={problem} onCancel={onClose} />
      </Stack>
    </form>
  );
}
