/** Shows an error that prevented a screen from rendering: a failed request or a bug. */
import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError, OUTDATED } from '#api/api-error.ts';
import { useConnection } from '#api/connection.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { PlainFrame } from './plain-shell.tsx';

const texts = defineTexts('route-problem', {
  en: { title: 'This page could not be shown', reload: 'Reload' },
  zh: { title: '无法显示此页面', reload: '刷新' },
});

/** Shows the error in place of the screen; menu and header stay. */
export function RouteProblem({ error, reset }: ErrorComponentProps) {
  const t = useTexts(texts);
  const router = useRouter();
  const isOutdated = error instanceof ApiError && error.code === OUTDATED;
  const again = (): void => {
    if (isOutdated) globalThis.location.reload();
    reset();
    void router.invalidate();
  };
  const connection = useConnection();
  const wasLost = useRef(connection === 'lost');
  useEffect(() => {
    if (connection === 'lost') wasLost.current = true;
    else if (wasLost.current) again();
  });
  return (
    <Container size="sm" w="100%">
      <Page title={t('title')}>
        <ApiProblem
          error={error instanceof Error ? error : new Error(String(error))}
          onRetry={again}
          {...(isOutdated ? { retry: t('reload') } : {})}
        />
      </Page>
    </Container>
  );
}

/** Shows the error in place of the whole page, for example when the gateway is unreachable. */
export function RootProblem(props: ErrorComponentProps) {
  return (
    <PlainFrame>
      <RouteProblem {...props} />
    </PlainFrame>
  );
}
