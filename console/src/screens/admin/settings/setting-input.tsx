/** One setting: its name, what it does, its default and bounds, and the field for its value. */
import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { Status } from '#components/status.tsx';
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';
import type { SettingField } from './config-queries.ts';
import { isChanged, pathOf, type Scalar, typedValue } from './setting-edits.ts';
import { choiceTexts, settingHelp } from './setting-help.ts';
import { useSettingName } from './setting-names.ts';
import classes from './settings.module.css';

const texts = defineTexts('admin-setting-input', {
  en: {
    on: 'On',
    off: 'Off',
    unset: 'Not set',
    default: 'Default: {{value}}',
    from: 'from {{minimum}}',
    upTo: 'up to {{maximum}}',
    between: '{{minimum}} to {{maximum}}',
    reset: 'Reset to default',
    resetOf: 'Reset to default: {{name}}',
    restart: 'After a restart',
    awaits: 'Waits for a restart',
    secretSet: 'Set; type to replace it',
    secretUnset: 'Not set; a value or a reference',
  },
  zh: {
    on: '开启',
    off: '关闭',
    unset: '未设置',
    default: '默认：{{value}}',
    from: '不小于 {{minimum}}',
    upTo: '不大于 {{maximum}}',
    between: '{{minimum}} 至 {{maximum}}',
    reset: '恢复默认',
    resetOf: '恢复默认：{{name}}',
    restart: '重启后生效',
    awaits: '等待重启',
    secretSet: '已设置；输入以替换',
    secretUnset: '未设置；请输入值或引用',
  },
});

export type SettingInputProps = {
  readonly field: SettingField;
  /** The value as written; null for the default. */
  readonly value: Scalar;
  /** What the gateway says about the value. */
  readonly error: string | undefined;
  readonly onChange: (value: Scalar) => void;
};

/** What the API shows for a secret that is set. */
const HIDDEN = '***';

export function SettingInput({ field, value, error, onChange }: SettingInputProps) {
  const t = useTexts(texts);
  const help = useTexts(settingHelp);
  const path = pathOf(field);
  const name = useSettingName()(path);
  return (
    <div className={classes['field']}>
      <Stack gap={2}>
        <Text size="sm" fw={500}>
          {name}{' '}
          <Text span variant="caption" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {path}
          </Text>
        </Text>
        {hasText(settingHelp, path) ? <Text variant="note">{help(path)}</Text> : null}
      </Stack>
      <Stack gap={4}>
        <Value {...{ field, value, error, onChange }} name={name} />
        <Group gap="xs" justify="space-between">
          <Facts field={field} />
          {!isChanged(field, value) ? null : (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={t('resetOf', { name })}
              onClick={() => onChange(null)}
            >
              {t('reset')}
            </Button>
          )}
        </Group>
      </Stack>
    </div>
  );
}

function Value({ field, value, error, name, onChange }: SettingInputProps & { name: string }) {
  const t = useTexts(texts);
  const choice = useTexts(choiceTexts);
  const { type, default: preset, choices } = field;
  const common = { 'aria-label': name, error, 'data-setting': pathOf(field) };
  const shown = value ?? preset;
  if (type === 'boolean') {
    return (
      <Switch
        {...common}
        label={t(shown === true ? 'on' : 'off')}
        checked={shown === true}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
    );
  }
  if (type === 'choice') {
    return (
      <Select
        {...common}
        data={choices.map((each) => ({
          value: each,
          label: hasText(choiceTexts, each) ? choice(each) : each,
        }))}
        value={String(shown)}
        allowDeselect={false}
        onChange={(chosen) => onChange(chosen)}
      />
    );
  }
  const isHidden = value === HIDDEN;
  const hint = type === 'secret' ? t(isHidden ? 'secretSet' : 'secretUnset') : String(preset ?? '');
  return (
    <TextInput
      {...common}
      inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      placeholder={hint}
      value={value === null || isHidden ? '' : String(value)}
      onChange={({ currentTarget: { value: typed } }) => onChange(typedValue(field, typed))}
    />
  );
}

/** The default and the bounds of a value, and whether it needs a restart. */
function Facts({ field }: { readonly field: SettingField }) {
  const t = useTexts(texts);
  const choice = useTexts(choiceTexts);
  const { type, default: preset, minimum, maximum } = field;
  const word = (value: Scalar): string => {
    if (value === null) return t('unset');
    if (typeof value === 'boolean') return t(value ? 'on' : 'off');
    const written = String(value);
    return hasText(choiceTexts, written) ? choice(written) : written;
  };
  const bounds =
    minimum !== null && maximum !== null
      ? t('between', { minimum, maximum })
      : minimum !== null
        ? t('from', { minimum })
        : maximum !== null
          ? t('upTo', { maximum })
          : null;
  const facts = [
    type === 'secret' ? null : t('default', { value: word(preset) }),
    bounds,
    field.needs_restart && !field.awaits_restart ? t('restart') : null,
  ].filter((fact) => fact !== null);
  return (
    <Text variant="caption" component="div" flex={1}>
      {facts.join(' · ')}
      {field.awaits_restart ? (
        <div>
          <Status tone="attention">{t('awaits')}</Status>
        </div>
      ) : null}
    </Text>
  );
}
