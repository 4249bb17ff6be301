/** Takes an open invitation back. A new one is made in two presses, so nothing is asked before. */
import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { ApiProblem } from './api-problem.tsx';

const texts = defineTexts('take-back-invitation', {
  en: {
    takeBack: 'Take back',
    takenBack: 'The invitation is taken back; its link no longer works.',
  },
  zh: { takeBack: '撤回', takenBack: '邀请已撤回，其链接已失效。' },
});

export type TakeBackInvitationProps = {
  readonly takeBack: () => Promise<unknown>;
  /** Shows the invitations as they are, also after a refusal: it may have been accepted meanwhile. */
  readonly changed: () => Promise<void>;
};

export function TakeBackInvitation({ takeBack, changed }: TakeBackInvitationProps) {
  const t = useTexts(texts);
  const taking = useMutation({
    mutationFn: takeBack,
    onSuccess: () => notifications.show({ message: t('takenBack'), color: 'green' }),
    onSettled: changed,
  });
  return (
    <Stack gap={4} align="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={taking.isPending}
        onClick={() => taking.mutate()}
      >
        {t('takeBack')}
      </Button>
      {taking.error === null ? null : <ApiProblem error={taking.error} />}
    </Stack>
  );
}
