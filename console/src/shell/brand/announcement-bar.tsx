/** The bar with an announcement. A person who hides it does not see it again in this browser. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Session } from '#api/session.ts';
import { defineTexts, useLanguage, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('announcement', {
  en: { label: 'Announcement', hide: 'Hide announcement' },
  zh: { label: '公告', hide: '隐藏公告' },
});

export type AnnouncementBarProps = NonNullable<Session['brand']['announcement']> & {
  /** The margin around the bar; by default, only below it. */
  readonly m?: string;
};

/** The storage key of the announcement that was hidden last. */
const STORAGE_KEY = 'modelgate.hidden-announcement';

export function AnnouncementBar({ text, level, dismissible, m }: AnnouncementBarProps) {
  const t = useTexts(texts);
  const [language] = useLanguage();
  const [hidden, setHidden] = useState(readHidden);
  if (dismissible && hidden === text.en) return null;
  const hide = (): void => {
    setHidden(text.en);
    try {
      localStorage.setItem(STORAGE_KEY, text.en);
    } catch (denied) {
      console.warn(
        'the announcement will appear again, because this browser refuses storage',
        denied,
      );
    }
  };
  const Icon = level === 'warning' ? IconAlertTriangle : IconInfoCircle;
  return (
    <Alert
      component="section"
      role="region"
      aria-label={t('label')}
      color={level === 'warning' ? 'yellow' : 'gray'}
      variant="light"
      radius="md"
      py="xs"
      {...(m === undefined ? { mb: 'md' } : { m })}
      icon={<Icon aria-hidden />}
      withCloseButton={dismissible}
      closeButtonLabel={t('hide')}
      onClose={hide}
    >
      {language === 'en' ? text.en : (text.zh ?? text.en)}
    </Alert>
  );
}

function readHidden(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // If the browser's storage is not available, the announcement counts as not hidden.
    return null;
  }
}
