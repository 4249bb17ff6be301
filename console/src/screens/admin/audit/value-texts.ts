/** The displayed values of the fields of audit entries, of which many are recorded as codes. */
import { noticeTexts } from '#catalogue/notice-facts.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';

const valueTexts = defineTexts('audit-values', {
  en: {
    active: 'Active',
    administrator: 'Administrator',
    demo: 'Demo credit',
    false: 'No',
    incident: 'Incident',
    maintenance: 'Maintenance',
    member: 'Member',
    owner: 'Owner',
    read_only: 'Reader',
    suspended: 'Suspended',
    top_up: 'Credit by an administrator',
    true: 'Yes',
  },
  zh: {
    active: '正常',
    administrator: '管理员',
    demo: '演示余额',
    false: '否',
    incident: '故障',
    maintenance: '维护',
    member: '成员',
    owner: '所有者',
    read_only: '只读成员',
    suspended: '已停用',
    top_up: '管理员充值',
    true: '是',
  },
});

/** The fields whose values are codes. Others, such as names, are shown as they were typed. */
const CODED = [
  ...['allow_exchange', 'is_new_account', 'kind', 'role', 'source', 'status', 'with_password'],
];

/** Returns a function that returns the text for a field's recorded value. */
export function useValueText(): (field: string, value: string) => string {
  const t = useTexts(valueTexts);
  const state = useTexts(noticeTexts);
  const { time } = useFormats();
  return (field, value) => {
    if (field === 'state' && hasText(noticeTexts, value)) return state(value);
    if (CODED.includes(field) && hasText(valueTexts, value)) return t(value);
    const at = field.endsWith('_at_ms') ? Number(value) : Date.parse(value);
    return /_at(?:_ms)?$/.test(field) && !Number.isNaN(at)
      ? time(new Date(at).toISOString())
      : value;
  };
}
