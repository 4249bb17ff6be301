/** Shows one setting: its name, description, default and bounds, and the field for its value. */
import {
  Button,
  Group,
  MultiSelect,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { Status } from '#components/status.tsx';
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';
import type { SettingField } from './config-queries.ts';
import { isChanged, pathOf, type Scalar, typedList, typedValue } from './setting-edits.ts';
import { choiceTexts } from './setting-help.ts';
import { useFieldWords } from './setting-names.ts';
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
    restart: 'Takes effect after a restart',
    awaits: 'Waits for a restart',
    secretSet: 'Set; enter a new value to replace it',
    secretUnset: 'Not set; enter a value or a reference',
    entries: 'Type, then press Enter',
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
    secretSet: '已设置；输入新值以替换',
    secretUnset: '未设置；请输入值或引用',
    entries: '输入后按回车',
  },
});

export type SettingInputProps = {
  readonly field: SettingField;
  /** The configured value; null for the default. */
  readonly value: Scalar;
  /** The gateway's error about the value. */
  readonly error: string | undefined;
  readonly onChange: (value: Scalar) => void;
};

/** The text that the API returns in place of a saved secret. */
const HIDDEN = '***';

export function SettingInput({ field, value, error, onChange }: SettingInputProps) {
  const t = useTexts(texts);
  const { name, help, path } = useFieldWords()(field);
  return (
    <div className={classes['field']}>
      <Stack gap={2}>
        <Text size="sm" fw={500}>
          {name}{' '}
          <Text span variant="caption" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {path}
          </Text>
        </Text>
        {help === null ? null : <Text variant="note">{help}</Text>}
      </Stack>
      <Stack gap={4}>
        <Value {...{ field, value, error, onChange }} name={name} />
        <Group gap="xs" justify="space-between">
          <Facts field={field} />
          {field.required || !isChanged(field, value) ? null : (
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

type ValueProps = SettingInputProps & { readonly name: string };

function Value(props: ValueProps) {
  const { field, value, error, name, onChange } = props;
  const t = useTexts(texts);
  const { type, default: preset } = field;
  const common = { 'aria-label': name, error, 'data-setting': pathOf(field) };
  if (type === 'boolean' && preset !== null) {
    const isOn = (value ?? preset) === true;
    return (
      <Switch
        {...common}
        label={t(isOn ? 'on' : 'off')}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
    );
  }
  if (type === 'boolean' || type === 'choice') return <Choice {...props} />;
  if (type === 'list') return <Entries {...props} />;
  // The field of a secret never contains the saved value. Until the person types a new one, the
  // placeholder says that a secret is saved, or shows the reference to a stored secret.
  const isKept = type === 'secret' && value === field.value;
  const kept = value === HIDDEN ? t('secretSet') : String(value ?? t('secretUnset'));
  const Input = type === 'secret' ? PasswordInput : TextInput;
  return (
    <Input
      {...common}
      inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      placeholder={isKept ? kept : String(preset ?? '')}
      value={value === null || isKept ? '' : String(value)}
      onChange={({ currentTarget: { value: typed } }) => onChange(typedValue(field, typed))}
    />
  );
}

/** The field that selects one value. With neither a value nor a default, nothing is selected. */
function Choice({ field, value, error, name, onChange }: ValueProps) {
  const t = useTexts(texts);
  const choice = useTexts(choiceTexts);
  const { type, default: preset, choices } = field;
  const shown = value ?? preset;
  const data =
    type === 'boolean'
      ? (['true', 'false'] as const).map((each) => ({
          value: each,
          label: t(each === 'true' ? 'on' : 'off'),
        }))
      : choices.map((each) => ({
          value: each,
          label: hasText(choiceTexts, each) ? choice(each) : each,
        }));
  return (
    <Select
      {...{ 'aria-label': name, error, 'data-setting': pathOf(field), data }}
      placeholder={t('unset')}
      value={shown === null ? null : String(shown)}
      allowDeselect={false}
      onChange={(chosen) =>
        onChange(type === 'boolean' && chosen !== null ? chosen === 'true' : chosen)
      }
    />
  );
}

/** The field for a list, whose entries are either free texts or chosen from the allowed values. */
function Entries({ field, value, error, name, onChange }: ValueProps) {
  const t = useTexts(texts);
  const { default: preset, choices } = field;
  const entries = [value ?? preset ?? []].flat().map(String);
  const common = { 'aria-label': name, error, 'data-setting': pathOf(field), value: entries };
  const change = (typed: readonly string[]): void => onChange(typedList(typed));
  return choices.length > 0 ? (
    <MultiSelect {...common} data={[...choices]} onChange={change} />
  ) : (
    <TagsInput
      {...common}
      placeholder={entries.length === 0 ? t('entries') : ''}
      acceptValueOnBlur
      onChange={change}
    />
  );
}

/** The default and the bounds of a value, and whether a change needs a restart. */
function Facts({ field }: { readonly field: SettingField }) {
  const t = useTexts(texts);
  const choice = useTexts(choiceTexts);
  const { type, default: preset, minimum, maximum } = field;
  const word = (value: Scalar): string => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return t('unset');
    if (typeof value === 'boolean') return t(value ? 'on' : 'off');
    const written = [value].flat().join(', ');
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
    type === 'secret' || field.required ? null : t('default', { value: word(preset) }),
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
