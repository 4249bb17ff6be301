/** Shows an error that prevented a screen from rendering: a failed request or a bug. */
import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError, OUTDATED } from '#api/api-error.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { PlainFrame } from './plain-shell.tsx';

const texts = defineTexts('route-problem', {
  en: { title: 'This page could not be shown' },
  zh: { title: '无法显示此页面' },
});

/** Shows the error in place of the screen; menu and header stay. */
export function RouteProblem({ error, reset }: ErrorComponentProps) {
  const t = useTexts(texts);
  const router = useRouter();
  const again = (): void => {
    if (error instanceof ApiError && error.code === OUTDATED) globalThis.location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" w="100%">
      <Page title={t('title')}>
        <ApiProblem
          error={error instanceof Error ? error : new Error(String(error))}
          onRetry={again}
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
