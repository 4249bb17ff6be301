/** Inviting somebody: as what, for which address, and the link to send them. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import type { Role } from '../../../api/session.ts';
import { useApiForm } from '../../../components/api-form.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { FormProblem } from '../../../components/form-problem.tsx';
import { OneTimeLink } from '../../../components/one-time-link.tsx';
import { RoleSelect } from '../../../components/role-select.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { useMembersChanged } from './member-queries.ts';

const texts = defineTexts('invite-dialog', {
  en: {
    title: 'Invite somebody',
    linkTitle: 'Send this link',
    lead: 'You get a link to send. The gateway sends no mail by itself.',
    email: 'E-mail address',
    emailHelp: 'If you name one, the invitation works for that address alone.',
    optional: 'Optional',
    cancel: 'Cancel',
    make: 'Make the link',
  },
  zh: {
    title: '邀请成员',
    linkTitle: '发送此链接',
    lead: '将生成一个邀请链接，由您自行发送；网关不会发送邮件。',
    email: '邮箱',
    emailHelp: '填写后，该邀请仅限此邮箱使用。',
    optional: '选填',
    cancel: '取消',
    make: '生成链接',
  },
});

type Made = { readonly url: string; readonly expires_at: string };
export type InviteDialogProps = { readonly opened: boolean; readonly onClose: () => void };

export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  const t = useTexts(texts);
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(null)}
      title={t(made === null ? 'title' : 'linkTitle')}
      // A press beside the dialog must not lose a link that is shown once.
      closeOnClickOutside={made === null}
    >
      {made === null ? (
        <InviteForm onCancel={onClose} onMade={setMade} />
      ) : (
        <OneTimeLink url={made.url} expiresAt={made.expires_at} onDone={onClose} />
      )}
    </Dialog>
  );
}

type InviteFormProps = {
  readonly onCancel: () => void;
  readonly onMade: (made: Made) => void;
};

function InviteForm({ onCancel, onMade }: InviteFormProps) {
  const t = useTexts(texts);
  const changed = useMembersChanged();
  const { form, onSubmit, isRunning, problem } = useApiForm<{ role: Role; email: string }, Made>({
    initialValues: { role: 'member', email: '' },
    send: ({ role, email }) =>
      answerOf(
        api.POST('/console/api/invitations', {
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
