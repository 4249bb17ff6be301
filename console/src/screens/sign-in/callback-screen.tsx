/** The page to which the identity provider redirects the browser after a sign-in. */
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { answerOf, api } from '#api/client.ts';
import { usePerson } from '#api/session.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { EntryPage } from './entry-page.tsx';
import { ownPath } from './own-path.ts';
import { keptNext, ProviderProblem } from './provider-button.tsx';

const texts = defineTexts('provider-callback', {
  en: { title: 'Sign in', running: 'Signing in', back: 'Back to sign-in' },
  zh: { title: '登录', running: '正在登录', back: '返回登录' },
});

export function CallbackScreen() {
  const t = useTexts(texts);
  const enter = useEnter();
  const navigate = useNavigate();
  // Saves the original query string, because the router may rewrite the URL.
  const [query] = useState(() => globalThis.location.search);
  const { data, error } = useQuery({
    queryKey: ['provider-answer', query],
    queryFn: () => answerOf(api.POST('/console/api/sign-in/oidc/finish', { body: { query } })),
    // The request is never repeated, since the provider's answer can be used only once.
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, retryOnMount: false },
    ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  const onEntered = (): Promise<void> => enter(ownPath(keptNext()));
  // The first of several tabs to sign in ends the sign-ins that the others began.
  const isElsewhere = error instanceof ApiError && error.extra['reason'] === 'not_started';
  const isSignedIn = usePerson() !== null;
  const isEntered = data?.totp_needed === false || (isElsewhere && isSignedIn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening the console happens once.
  useEffect(() => {
    if (isEntered) void onEntered();
  }, [isEntered]);
  if (data?.totp_needed === true) {
    return <CodeStep onEntered={onEntered} onBack={() => void navigate({ to: '/sign-in' })} />;
  }
  return (
    <EntryPage title={t('title')}>
      {error === null || isEntered ? (
        <Loader role="status" aria-label={t('running')} mx="auto" />
      ) : (
        <>
          <ProviderProblem error={error} />
          <ButtonLink to="/sign-in">{t('back')}</ButtonLink>
        </>
      )}
    </EntryPage>
  );
}
