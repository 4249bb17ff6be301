/**
 * A banner shown while an administrator views another account. It has the account's name and a
 * button to stop viewing it.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf, api } from '#api/client.ts';
import { announceSession, openPage, sessionQuery, useSignedIn } from '#api/session.ts';
import { useProblemText } from '#components/problem-texts.ts';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './shell.module.css';

const texts = defineTexts('view-banner', {
  en: {
    label: 'View of an account',
    lead: 'You are viewing {{name}} as its owner, and cannot change anything. The view ends at {{time}}.',
    end: 'End view',
  },
  zh: {
    label: '查看账户',
    lead: '您正在以所有者的视角查看 {{name}}，无法进行任何更改。查看将于 {{time}} 结束。',
    end: '结束查看',
  },
});

export type ViewBannerProps = {
  /** The time, in ISO 8601, at which the administrator automatically stops viewing the account. */
  readonly endsAt: string;
};

export function ViewBanner({ endsAt }: ViewBannerProps) {
  const t = useTexts(texts);
  const { time } = useFormats();
  const problemText = useProblemText();
  const { account } = useSignedIn();
  useEnd(endsAt);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => answerOf(api.DELETE('/console/api/view')),
    onSuccess: () => {
      announceSession();
      openPage(`admin/accounts/${account.id}`);
    },
  });
  return (
    <Alert
      component="section"
      role="region"
      aria-label={t('label')}
      color="yellow"
      className={classes['view'] ?? ''}
      py="xs"
      mb="md"
      icon={<IconEye aria-hidden />}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" className={classes['viewText'] ?? ''}>
          {t('lead', { name: account.name, time: time(endsAt) })}
        </Text>
        <Button size="xs" loading={isPending} onClick={() => mutate()}>
          {t('end')}
        </Button>
      </Group>
      {error === null ? null : (
        <Text size="sm" role="alert">
          {problemText(error) ?? error.message}
        </Text>
      )}
    </Alert>
  );
}

/**
 * Loads the session again after `endsAt`, when the administrator no longer views the account. The
 * changed session makes the console reload.
 */
function useEnd(endsAt: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const leftMs = Math.max(0, Date.parse(endsAt) - Date.now());
    const timer = setTimeout(
      () => void queryClient.invalidateQueries(sessionQuery),
      leftMs + 1_000,
    );
    return () => clearTimeout(timer);
  }, [endsAt, queryClient]);
}
