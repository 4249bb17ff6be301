/** Shows an API error: the remedy in the person's language and the API's own message. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
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
    other: 'The gateway returned this error:',
  },
  zh: {
    title: '请求失败',
    again: '重试',
    request: '请求 ID',
    other: '网关返回以下错误：',
  },
});

export type ApiProblemProps = {
  readonly error: Error;
  /** Called by the retry button, which is shown for errors that may pass. */
  readonly onRetry?: () => void;
  /** Further buttons beside the retry button. */
  readonly actions?: ReactNode;
  /** A remedy that is more than a text. */
  readonly children?: ReactNode;
};

export function ApiProblem({ error, onRetry, actions = null, children }: ApiProblemProps) {
  const t = useTexts(texts);
  const text = useProblemText()(error);
  const problem = error instanceof ApiError ? error : null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle />} title={t('title')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text ?? (problem === null ? error.message : t('other'))}</Text>
        {problem === null || problem.status === 0 ? null : (
          <Code block w="100%" style={{ whiteSpace: 'pre-wrap' }}>
            {problem.message}
          </Code>
        )}
        {problem?.requestId == null ? null : (
          <Text size="xs" c="dimmed">
            {t('request')} <Copyable value={problem.requestId} />
          </Text>
        )}
        {children}
        <Group gap="xs">
          {onRetry === undefined ? null : (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('again')}
            </Button>
          )}
          {actions}
        </Group>
      </Stack>
    </Alert>
  );
}
