/**
 * The page that requires administrators to set up two-factor authentication, if the operator
 * enforces it.
 */
import { Card, Container } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '#components/lazy-part.ts';
import { Page } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('totp-demand', {
  en: {
    title: 'Set up two-factor authentication',
    lead: 'Administrators of this gateway must use two-factor authentication: signing in requires your password and a code from an authenticator app.',
  },
  zh: {
    title: '请启用两步验证',
    lead: '本网关要求管理员启用两步验证：登录时需要密码，以及身份验证器应用显示的验证码。',
  },
});
const TotpSetup = lazyPart(
  async () => (await import('#components/sign-in/totp-setup.tsx')).TotpSetup,
);

export function TotpDemand() {
  const t = useTexts(texts);
  const router = useRouter();
  const queryClient = useQueryClient();
  const done = async (): Promise<void> => {
    queryClient.removeQueries();
    await router.invalidate();
  };
  return (
    <Container size={520} px={0} w="100%">
      <Card p={{ base: 'md', xs: 'xl' }}>
        <Page title={t('title')} lead={t('lead')}>
          <Suspense fallback={null}>
            <TotpSetup onDone={done} />
          </Suspense>
        </Page>
      </Card>
    </Container>
  );
}
