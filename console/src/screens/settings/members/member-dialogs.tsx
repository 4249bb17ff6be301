/** The dialogs behind a member's menu. */
import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import type { Role } from '../../../api/session.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { useApiForm } from '../../../components/forms/api-form.ts';
import { FormProblem } from '../../../components/forms/form-problem.tsx';
import { TypeToConfirm } from '../../../components/forms/type-to-confirm.tsx';
import { ResetLinkDialog } from '../../../components/reset-link-dialog.tsx';
import { RoleSelect } from '../../../components/role-select.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { type Member, useMembersChanged } from './member-queries.ts';

const texts = defineTexts('member-dialogs', {
  en: {
    roleTitle: 'Role of {{name}}',
    save: 'Save',
    cancel: 'Cancel',
    saved: '{{name}} has another role now.',
    removeTitle: 'Remove {{name}}',
    removeLead:
      '{{name}} is signed out everywhere and can no longer sign in. Keys that they made keep working: revoke those that you do not want.',
    remove: 'Remove',
    removed: '{{name}} is removed.',
  },
  zh: {
    roleTitle: '{{name}} 的角色',
    save: '保存',
    cancel: '取消',
    saved: '{{name}} 的角色已更改。',
    removeTitle: '移除 {{name}}',
    removeLead:
      '{{name}} 的所有会话将退出，且无法再登录。其创建的密钥仍然有效，如不需要请另行吊销。',
    remove: '移除',
    removed: '已移除 {{name}}。',
  },
});

export type MemberDialogProps = {
  readonly member: Member;
  readonly opened: boolean;
  readonly onClose: () => void;
};

export function ChangeRoleDialog({ member, opened, onClose }: MemberDialogProps) {
  const t = useTexts(texts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('roleTitle', { name: member.name })}>
      <RoleForm member={member} onClose={onClose} />
    </Dialog>
  );
}

function RoleForm({ member, onClose }: Omit<MemberDialogProps, 'opened'>) {
  const t = useTexts(texts);
  const changed = useMembersChanged();
  const { id, name } = member;
  const { form, onSubmit, isRunning, problem } = useApiForm<{ role: Role }, Member>({
    initialValues: { role: member.role },
    send: (body) =>
      answerOf(api.PATCH('/console/api/members/{id}', { params: { path: { id } }, body })),
    onSent: async () => {
      await changed();
      notifications.show({ message: t('saved', { name }), color: 'green' });
      onClose();
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <FormProblem error={problem} />
        <RoleSelect
          {...form.getInputProps('role')}
          value={form.values.role}
          onChange={(role) => form.setFieldValue('role', role)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isRunning} disabled={form.values.role === member.role}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function MemberResetLinkDialog({ member: { id, name }, ...dialog }: MemberDialogProps) {
  const make = () =>
    answerOf(api.POST('/console/api/members/{id}/reset-link', { params: { path: { id } } }));
  return <ResetLinkDialog {...dialog} name={name} make={make} />;
}

export function RemoveDialog({ member: { id, name, email }, opened, onClose }: MemberDialogProps) {
  const t = useTexts(texts);
  const changed = useMembersChanged();
  const removing = useMutation({
    mutationFn: () =>
      answerOf(api.DELETE('/console/api/members/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      onClose();
      notifications.show({ message: t('removed', { name }), color: 'green' });
      await changed();
    },
  });
  return (
    <TypeToConfirm
      opened={opened}
      onClose={() => {
        removing.reset();
        onClose();
      }}
      title={t('removeTitle', { name })}
      phrase={email}
      confirm={t('remove')}
      onConfirm={removing.mutate}
      isRunning={removing.isPending}
      error={removing.error}
    >
      {t('removeLead', { name })}
    </TypeToConfirm>
  );
}
