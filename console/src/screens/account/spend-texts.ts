import { defineTexts } from '#i18n/texts.ts';

export const spendTexts = defineTexts('spend', {
  en: { day: 'Day (UTC)', none: 'No spend in the last {{count}} days' },
  zh: { day: '日期（UTC）', none: '最近 {{count}} 天没有消费' },
});
