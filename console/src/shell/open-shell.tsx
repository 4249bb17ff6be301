/** The frame of public pages: the console's own for who is signed in. */
import { Button, Container, Group } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { usePerson } from '../api/session.ts';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { AppShell } from './app-shell.tsx';
import { Brand } from './brand.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';

const texts = defineTexts('open-shell', {
  en: { models: 'Models', status: 'Status', reference: 'API reference', signIn: 'Sign in' },
  zh: { models: '模型', status: '状态', reference: 'API 参考', signIn: '登录' },
});

export function OpenShell() {
  const t = useTexts(texts);
  if (usePerson() !== null) return <AppShell />;
  return (
    <>
      <Group component="header" justify="space-between" p="md">
        <Brand />
        <Group gap="xs">
          <LanguageSwitch />
          <SchemeSwitch />
          <Button renderRoot={(props) => <Link to="/sign-in" {...props} />}>{t('signIn')}</Button>
        </Group>
      </Group>
      <Container component="main" id="main" size="xl" py="lg">
        <Outlet />
      </Container>
    </>
  );
}
