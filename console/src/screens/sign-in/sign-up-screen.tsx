/** The page that creates an account, if the operator allows sign-up. */
import { Stack, Text } from '@mantine/core';
import { answerOf, api } from '#api/client.ts';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { plainRoute } from '#shell/parents.tsx';
import { useEnter } from './enter.ts';
import { EntryPage } from './entry-page.tsx';
import { MailForm } from './mail-form.tsx';
import { RegistrationForm } from './registration-form.tsx';

const texts = defineTexts('sign-up', {
  en: {
    title: 'Sign up',
    create: 'Create account',
    confirm: 'Confirm your email address first. We send a link to it.',
    closed: 'Sign-up is closed. Ask an account owner or the operator for an invitation.',
    known: 'Already have an account?',
    signIn: 'Sign in',
  },
  zh: {
    title: '注册',
    create: '创建登录账号',
    confirm: '请先确认邮箱，我们会向其发送链接。',
    closed: '本网关未开放注册。请向账户所有者或运营者索取邀请链接。',
    known: '已有登录账号？',
    signIn: '登录',
  },
});

export function SignUpScreen() {
  const t = useTexts(texts);
  const enter = useEnter();
  const { session } = plainRoute.useRouteContext();
  if (session.sign_up === 'closed') {
    return (
      <EntryPage title={t('title')} lead={t('closed')}>
        <ButtonLink to="/sign-in">{t('signIn')}</ButtonLink>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={t('title')} {...(session.email ? { lead: t('confirm') } : {})}>
      <Stack>
        {session.email ? (
          <MailForm send={(body) => answerOf(api.POST('/console/api/sign-up/mail', { body }))} />
        ) : (
          <RegistrationForm
            email={null}
            submit={t('create')}
            send={(body) => answerOf(api.POST('/console/api/sign-up', { body }))}
            onSent={() => enter('/')}
          />
        )}
        <Text variant="note" ta="center">
          {t('known')}{' '}
          <TextLink inherit underline="always" to="/sign-in">
            {t('signIn')}
          </TextLink>
        </Text>
      </Stack>
    </EntryPage>
  );
}
