/** An address of the console that has no page. */
import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { Page } from '../components/page.tsx';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { PlainFrame } from './plain-shell.tsx';

const texts = defineTexts('not-found', {
  en: {
    title: 'Not found',
    lead: 'There is no page here',
    help: 'The address may have been cut off or mistyped.',
    home: 'To the overview',
  },
  zh: {
    title: '页面不存在',
    lead: '这里没有页面',
    help: '地址可能不完整或有误。',
    home: '前往概览',
  },
});

export function NotFound() {
  const t = useTexts(texts);
  return (
    <PlainFrame>
      <Page title={t('title')}>
        <Empty
          icon={IconMapQuestion}
          title={t('lead')}
          action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('home')}</Button>}
        >
          {t('help')}
        </Empty>
      </Page>
    </PlainFrame>
  );
}
