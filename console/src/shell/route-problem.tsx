/** A screen that could not be shown: its data was refused, or a fault of our own. */
import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError, OUTDATED } from '../api/api-error.ts';
import { ApiProblem } from '../components/api-problem.tsx';
import { Page } from '../components/page.tsx';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { PlainFrame } from './plain-shell.tsx';

const texts = defineTexts('route-problem', {
  en: { title: 'This page could not be shown' },
  zh: { title: '无法显示此页面' },
});

/** In the place of the screen alone: the menu and the header stay. */
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

/** Where not even the frame could be shown, such as when the gateway cannot be reached. */
export function RootProblem(props: ErrorComponentProps) {
  return (
    <PlainFrame>
      <RouteProblem {...props} />
    </PlainFrame>
  );
}
