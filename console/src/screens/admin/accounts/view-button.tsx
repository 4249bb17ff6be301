/** The button that shows an administrator the console as the account's owner sees it. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconEye } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { announceSession, openPage } from '#api/session.ts';
import { useProblemText } from '#components/problem-texts.ts';
import { useTexts } from '#i18n/texts.ts';
import { accountsTexts } from './accounts-texts.ts';

export function ViewButton({ accountId }: { readonly accountId: string }) {
  const t = useTexts(accountsTexts);
  const problemText = useProblemText();
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerOf(api.POST('/console/api/view', { body: { account_id: accountId } })),
    onSuccess: () => {
      announceSession();
      openPage();
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: problemText(error) ?? error.message }),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconEye size={16} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t('view')}
    </Button>
  );
}
