/** Shows an error: the remedy in the person's language, or the API's own message. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '#api/api-error.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Copyable } from './copyable.tsx';
import { useProblemText } from './problem-texts.ts';

const texts = defineTexts('problem', {
  en: {
    title: 'Something went wrong',
    again: 'Try again',
    request: 'Request ID',
  },
  zh: {
    title: '请求失败',
    again: '重试',
    request: '请求 ID',
  },
});

export type ApiProblemProps = {
  readonly error: Error;
  /** Called by the retry button, which is shown for errors that may pass. */
  readonly onRetry?: () => void;
  /** The label of the retry button. Default: Try again. */
  readonly retry?: string;
  /** Further buttons beside the retry button. */
  readonly actions?: ReactNode;
  /** Further elements that help to solve the problem, shown below the text. */
  readonly children?: ReactNode;
};

/**
 * Shows the remedy for the error's code. If there is no remedy, shows all known details of the
 * error.
 */
export function ApiProblem({ error, onRetry, retry, actions, children }: ApiProblemProps) {
  const t = useTexts(texts);
  const text = useProblemText()(error);
  // The sign-in that the console asks for says this already, and afterward it is over.
  if (error instanceof ApiError && error.code === 'not_signed_in') return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  const isFailure = text === null || (error instanceof ApiError && error.status >= 500);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle />}
      title={text === null ? t('title') : undefined}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text ?? error.message}</Text>
        {requestId === null || !isFailure ? null : (
          <Text variant="caption">
            {t('request')} <Copyable value={requestId} />
          </Text>
        )}
        {children}
        {onRetry === undefined && actions === undefined ? null : (
          <Group gap="xs">
            {onRetry === undefined ? null : (
              <Button size="xs" variant="default" onClick={onRetry}>
                {retry ?? t('again')}
              </Button>
            )}
            {actions}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
