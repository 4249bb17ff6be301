/** An address of the console that has no page. */
import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { defineTexts, useTexts } from '../i18n/texts.ts';

const texts = defineTexts('not-found', {
  en: { title: 'There is no page here', home: 'To the overview' },
  zh: { title: '这里没有页面', home: '前往概览' },
});

export function NotFound() {
  const t = useTexts(texts);
  return (
    <main>
      <Empty
        icon={IconMapQuestion}
        title={t('title')}
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('home')}</Button>}
      />
    </main>
  );
}
