/** The page for unknown URLs. */
import { Box, Group } from '@mantine/core';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { PlainFrame } from './plain-shell.tsx';

const texts = defineTexts('not-found', {
  en: {
    title: 'Page not found',
    lead: 'The address may be incomplete or mistyped.',
    home: 'Go to overview',
  },
  zh: {
    title: '页面不存在',
    lead: '地址可能不完整或有误。',
    home: '前往概览',
  },
});

export function NotFound() {
  const t = useTexts(texts);
  return (
    <PlainFrame>
      <Box w={320}>
        <Page title={t('title')} lead={t('lead')}>
          <Group>
            <ButtonLink to="/">{t('home')}</ButtonLink>
          </Group>
        </Page>
      </Box>
    </PlainFrame>
  );
}
