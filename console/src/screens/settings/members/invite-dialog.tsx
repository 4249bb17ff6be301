/** Inviting somebody: as what, for which address, and the link to send them. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, newIdempotencyKey } from '../../../api/client.ts';
import type { Role } from '../../../api/session.ts';
import { useApiForm } from '../../../components/forms/api-form.ts';
import { FormProblem } from '../../../components/forms/form-problem.tsx';
import { InvitationDialog, type NewInvitation } from '../../../components/invitation-dialog.tsx';
import { RoleSelect } from '../../../components/role-select.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { useMembersChanged } from './member-queries.ts';

const texts = defineTexts('invite-dialog', {
  en: {
    lead: 'You get a link to send. The gateway sends no mail by itself.',
    email: 'E-mail address',
    emailHelp: 'If you name one, the invitation works for that address alone.',
    optional: 'Optional',
    cancel: 'Cancel',
    make: 'Make the link',
  },
  zh: {
    lead: '将生成一个邀请链接，由您自行发送；网关不会发送邮件。',
    email: '邮箱',
    emailHelp: '填写后，该邀请仅限此邮箱使用。',
    optional: '选填',
    cancel: '取消',
    make: '生成链接',
  },
});

export type InviteDialogProps = { readonly opened: boolean; readonly onClose: () => void };

export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  return (
    <InvitationDialog
      opened={opened}
      onClose={onClose}
      form={(onMade) => <InviteForm onCancel={onClose} onMade={onMade} />}
    />
  );
}

type InviteFormProps = {
  readonly onCancel: () => void;
  readonly onMade: (made: NewInvitation) => void;
};

function InviteForm({ onCancel, onMade }: InviteFormProps) {
  const t = useTexts(texts);
  const changed = useMembersChanged();
  const [key] = useState(newIdempotencyKey);
  const { form, onSubmit, isRunning, problem } = useApiForm<
    { role: Role; email: string },
    NewInvitation
  >({
    initialValues: { role: 'member', email: '' },
    send: ({ role, email }) =>
      answerOf(
        api.POST('/console/api/invitations', {
          headers: { 'Idempotency-Key': key },
          body: { role, email: email.trim() === '' ? null : email },
        }),
      ),
    onSent: async (made) => {
      onMade(made);
      await changed();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('lead')}</Text>
        <FormProblem error={problem} />
        <RoleSelect
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
        />
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          label={t('email')}
          description={t('emailHelp')}
          placeholder={t('optional')}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isRunning}>
            {t('make')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
