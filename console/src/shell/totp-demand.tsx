/** Before anything else, where the operator wants a second step of administrators: setting it up. */
import { Card, Container } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Page } from '../components/page.tsx';
import { defineTexts, useTexts } from '../i18n/texts.ts';

const texts = defineTexts('totp-demand', {
  en: {
    title: 'Set up a second step',
    lead: 'This gateway asks it of its administrators: besides your password, signing in will take a code from an app on your phone.',
  },
  zh: {
    title: '请启用两步验证',
    lead: '本网关要求管理员启用：登录时除密码外，还需输入手机应用显示的验证码。',
  },
});
const TotpSetup = lazy(async () => ({
  default: (await import('../components/sign-in/totp-setup.tsx')).TotpSetup,
}));

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
