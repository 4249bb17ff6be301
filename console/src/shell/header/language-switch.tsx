import { SegmentedControl } from '@mantine/core';
import { LANGUAGES } from '#i18n/languages.ts';
import { defineTexts, useLanguage, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('language-switch', {
  en: { label: 'Language' },
  zh: { label: '语言' },
});
/** Short labels for the header. */
const SHORT = { en: 'EN', zh: '中' } as const;

export function LanguageSwitch() {
  const t = useTexts(texts);
  const [language, setLanguage] = useLanguage();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('label')}
      value={language}
      onChange={(value) => setLanguage(value === 'zh' ? 'zh' : 'en')}
      data={LANGUAGES.map((value) => ({ value, label: SHORT[value] }))}
    />
  );
}
