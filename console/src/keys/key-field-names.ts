/** Describes the form fields of a key, for a comparison of two versions of the form's values. */
import { oneOf } from '#api/lists.ts';
import { type Fields, valueAt } from '#components/forms/merge-edits.ts';
import type { ShownField } from '#components/forms/shared-form.ts';
import { enteredDays, isDay } from '#i18n/entered-days.ts';
import { useFormats } from '#i18n/formats.ts';
import { type TextKey, useLanguage, useTexts } from '#i18n/texts.ts';
import { type KeyForm, LIFETIME_NAMES } from './key-form.ts';
import { keyFormTexts } from './key-form-texts.ts';
import { scopeNames } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

type Name = TextKey<typeof keyFormTexts>;
/** The label of each field and the text for its empty value. */
export const FIELD_NAMES: Readonly<Record<string, readonly [label: Name, empty: Name]>> = {
  name: ['name', 'nameMissing'],
  expires_at: ['expires', 'never'],
  'limits.spend.day': ['day', 'noLimit'],
  'limits.spend.week': ['week', 'noLimit'],
  'limits.spend.month': ['month', 'noLimit'],
  'limits.spend.total': ['total', 'noLimit'],
  'limits.requests_per_minute': ['requests', 'noLimit'],
  'limits.tokens_per_minute': ['tokens', 'noLimit'],
  'limits.concurrency': ['concurrency', 'noLimit'],
  'limits.models': ['models', 'allModels'],
  'limits.channels': ['channels', 'allChannels'],
  'limits.ip_ranges': ['addresses', 'anywhere'],
  scopes: ['scopes', 'noScope'],
};

type Form = Fields & Pick<KeyForm, 'scopes'>;
/** Returns a function that gives the label and the value of a field, as the form shows them. */
export function useKeyFieldNames(): (path: string, form: Form) => ShownField {
  const t = useTexts(keyFormTexts);
  const names = useTexts(keyTexts);
  const [language] = useLanguage();
  const { list } = useFormats();
  return (path, form) => {
    const [label, empty] = FIELD_NAMES[path] ?? (['name', 'noLimit'] as const);
    const value = [valueAt(form, path)].flat().join(', ');
    const lifetime = oneOf(LIFETIME_NAMES, value);
    const shown = (): string => {
      if (value === '') return t(empty);
      if (path === 'scopes') return list(scopeNames(names, form.scopes ?? []));
      if (path.startsWith('limits.spend.')) return `$${value}`;
      if (path !== 'expires_at') return value;
      return isDay(value) ? enteredDays(language).write(value) : t(lifetime ?? 'onDay');
    };
    return { label: t(label), value: shown() };
  };
}
