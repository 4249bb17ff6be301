/**
 * A dialog that confirms an irreversible action: the person types the name of the affected object.
 */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '#components/dialog.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { FormProblem } from './form-problem.tsx';

const texts = defineTexts('type-to-confirm', {
  en: { type: 'Type {{phrase}} to confirm', cancel: 'Cancel' },
  zh: { type: '输入 {{phrase}} 以确认', cancel: '取消' },
});

export type TypeToConfirmProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The description of the action, shown above the field. */
  readonly children: ReactNode;
  /** The text that the person has to type, such as the name of the account. */
  readonly phrase: string;
  /** The label of the confirm button. */
  readonly confirm: string;
  /** Performs the action. If it fails, the dialog stays open and shows the error. */
  readonly act: () => Promise<unknown>;
  /** Called when the action has succeeded and the dialog is closing. */
  readonly onDone?: () => Promise<void> | void;
};

export function TypeToConfirm({ opened, onClose, title, ...body }: TypeToConfirmProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Confirmation {...body} onClose={onClose} />
    </Dialog>
  );
}

/** The form. It is rendered inside the dialog, so that the typed text is discarded on close. */
function Confirmation(props: Omit<TypeToConfirmProps, 'opened' | 'title'>) {
  const { onClose, children, phrase, confirm, act, onDone } = props;
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  const acting = useMutation({
    mutationFn: act,
    onSuccess: () => {
      onClose();
      return onDone?.();
    },
  });
  const isMeant = typed.trim() === phrase.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isMeant && !acting.isPending) acting.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <TextInput
          label={t('type', { phrase })}
          styles={{ label: { overflowWrap: 'anywhere' } }}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <FormProblem error={acting.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color="red.9" disabled={!isMeant} loading={acting.isPending}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
