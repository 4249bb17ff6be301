/** The dialog that creates a link with which a person who cannot sign in sets a new password. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Dialog } from '#components/dialog.tsx';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { OneTimeLink } from './one-time-link.tsx';

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

export type ResetLinkDialogProps = {
  readonly name: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly make: () => Promise<{ readonly url: string; readonly expires_at: string }>;
};

export function ResetLinkDialog({ name, opened, onClose, make }: ResetLinkDialogProps) {
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
        <OneTimeLink url={made.url} expiresAt={made.expires_at} onDone={onClose} />
      )}
    </Dialog>
  );
}
