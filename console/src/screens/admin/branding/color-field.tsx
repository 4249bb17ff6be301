/** A field for a color, typed or picked in the browser's color picker. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import { ACCENT } from '#theme/palette.ts';
import classes from './branding.module.css';
import { brandingTexts } from './branding-texts.ts';

export type ColorFieldProps = Omit<TextInputProps, 'label' | 'value' | 'onChange'> & {
  readonly label: string;
  readonly value?: string;
  readonly onChange?: (color: string) => void;
  /** The color shown for an empty field; by default, the product's own accent. */
  readonly preset?: string;
};

const OWN_ACCENT = ACCENT[6];
const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);
const MAX_CHARACTERS = 7;

export function ColorField(props: ColorFieldProps) {
  const { label, value = '', onChange, preset = '', ...field } = props;
  const unset = isColor(preset) ? preset : OWN_ACCENT;
  const t = useTexts(brandingTexts);
  return (
    <TextInput
      label={label}
      placeholder={unset}
      maxLength={MAX_CHARACTERS}
      autoComplete="off"
      spellCheck={false}
      {...field}
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      leftSectionPointerEvents="all"
      leftSection={
        <input
          type="color"
          className={classes['picker']}
          aria-label={t('pick', { label })}
          value={(isColor(value) ? value : unset).toLowerCase()}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
        />
      }
    />
  );
}
