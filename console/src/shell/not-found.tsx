/** An address of the console that has no page. */
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Page } from '../components/page.tsx';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { PlainFrame } from './plain-shell.tsx';

const texts = defineTexts('not-found', {
  en: {
    title: 'There is no page here',
    lead: 'Its address may have been cut off or mistyped.',
    home: 'To the overview',
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
      <Page title={t('title')} lead={t('lead')}>
        <Group>
          <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('home')}</Button>
        </Group>
      </Page>
    </PlainFrame>
  );
}
