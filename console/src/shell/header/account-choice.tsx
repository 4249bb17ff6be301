/** The choice of account in the person's menu, for a person with several accounts. */
import { Menu, ScrollArea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { announceSession, openPage, type Session, useSignedIn } from '#api/session.ts';
import { useProblemText } from '#components/problem-texts.ts';
import { useRoleName } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Choice } from './display-menu.tsx';

const texts = defineTexts('account-choice', {
  en: { label: 'Account' },
  zh: { label: '账户' },
});
const MAX_HEIGHT_PX = 240;

export type AccountChoiceProps = { readonly accounts: Session['accounts'] };

export function AccountChoice({ accounts }: AccountChoiceProps) {
  const t = useTexts(texts);
  const roleName = useRoleName();
  const problemText = useProblemText();
  const { account } = useSignedIn();
  const { mutate, error } = useMutation({
    mutationFn: (id: string) =>
      answerOf(api.POST('/console/api/session/account', { body: { account_id: id } })),
    onSuccess: () => {
      announceSession();
      openPage();
    },
  });
  const nameOf = (id: string): string => {
    const found = accounts.find((each) => each.id === id);
    return found === undefined ? id : `${found.name} · ${roleName(found.role)}`;
  };
  return (
    <>
      <Menu.Divider />
      <ScrollArea.Autosize mah={MAX_HEIGHT_PX} type="auto">
        <Choice
          label={t('label')}
          value={account.id}
          options={accounts.map(({ id }) => id)}
          nameOf={nameOf}
          onChoose={(id) => mutate(id)}
        />
      </ScrollArea.Autosize>
      {error === null ? null : (
        <Menu.Label role="alert">{problemText(error) ?? error.message}</Menu.Label>
      )}
    </>
  );
}
