/** The frame of public pages. Signed-in people get the console's own frame. */
import { Container, Group } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { usePerson } from '#api/session.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Announced } from './brand/announced.tsx';
import { BrandFooter } from './brand/brand-footer.tsx';
import { Brand } from './header/brand.tsx';
import { DisplayMenu } from './header/display-menu.tsx';
import { AppShell } from './lazy-screen.ts';
import classes from './shell.module.css';
import { MAIN_ID, SkipLink } from './skip-link.tsx';

const texts = defineTexts('open-shell', {
  en: {
    pages: 'Pages',
    models: 'Models',
    status: 'Status',
    reference: 'API reference',
    guides: 'Guides',
    signIn: 'Sign in',
  },
  zh: {
    pages: '页面',
    models: '模型',
    status: '状态',
    reference: 'API 参考',
    guides: '指南',
    signIn: '登录',
  },
});
const PAGES = [
  { name: 'models', to: '/models' },
  { name: 'status', to: '/status' },
  { name: 'reference', to: '/reference' },
] as const;

/** The guide that visitors see first. It links to the other guides. */
const FIRST_GUIDE = 'openai-sdk';

export function OpenShell() {
  if (usePerson() !== null) return <AppShell />;
  return (
    <>
      <SkipLink />
      <Header />
      <Container
        component="main"
        id={MAIN_ID}
        tabIndex={-1}
        className={classes['main'] ?? ''}
        size="xl"
        py="lg"
      >
        <Announced />
        <Outlet />
      </Container>
      <BrandFooter />
    </>
  );
}

function Header() {
  const t = useTexts(texts);
  return (
    <header className={classes['bar']}>
      <Brand />
      <nav aria-label={t('pages')} className={classes['openPages']}>
        {PAGES.map(({ name, to }) => (
          <Link key={to} to={to} className={classes['openPage']}>
            {t(name)}
          </Link>
        ))}
        <Link
          to="/quick-start/$guide"
          params={{ guide: FIRST_GUIDE }}
          className={classes['openPage']}
        >
          {t('guides')}
        </Link>
      </nav>
      <Group gap="xs" wrap="nowrap">
        <DisplayMenu />
        <ButtonLink to="/sign-in">{t('signIn')}</ButtonLink>
      </Group>
    </header>
  );
}
