/** The card that chooses the time zone of this browser. */
import { Select } from '@mantine/core';
import { SectionCard } from '#components/section-card.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { browserZone, chooseZone, timeZones, useChosenZone } from '#i18n/time-zone.ts';

const texts = defineTexts('time-zone', {
  en: {
    title: 'Time zone',
    label: 'Show times in',
    automatic: 'This browser ({{zone}})',
    hint: 'Saved in this browser. Now: {{now}}. Usage, statements and limits count UTC days.',
    none: 'No such time zone',
  },
  zh: {
    title: '时区',
    label: '时间显示时区',
    automatic: '跟随浏览器（{{zone}}）',
    hint: '保存在当前浏览器中。现在：{{now}}。用量、对账单和限额按 UTC 日期统计。',
    none: '没有这个时区',
  },
});

const AUTOMATIC = 'automatic';
/** The most zones shown at a time. Others are found by a part of their name. */
const MOST_SHOWN = 50;

export function TimeZoneCard() {
  const t = useTexts(texts);
  const { time } = useFormats();
  const chosen = useChosenZone();
  const automatic = { value: AUTOMATIC, label: t('automatic', { zone: browserZone() }) };
  const choose = (zone: string | null): void => chooseZone(zone === AUTOMATIC ? null : zone);
  return (
    <SectionCard title={t('title')}>
      <Select
        maw={420}
        label={t('label')}
        description={t('hint', { now: time(new Date().toISOString()) })}
        data={[automatic, ...timeZones().map((zone) => ({ value: zone, label: zone }))]}
        value={chosen ?? AUTOMATIC}
        onChange={choose}
        allowDeselect={false}
        searchable
        limit={MOST_SHOWN}
        nothingFoundMessage={t('none')}
      />
    </SectionCard>
  );
}
