/** A field for one parameter. An empty field means the model's default. */
import { NumberInput, Select, TagsInput } from '@mantine/core';
import type { Model } from '#catalogue/models.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import {
  isSupported,
  PARAMETERS,
  type ParameterName,
  type ParameterShape,
  type ParameterValue,
  type Target,
} from './parameters.ts';
import { settingsTexts } from './settings-texts.ts';

export type ParameterFieldProps = {
  readonly name: ParameterName;
  readonly value: ParameterValue | undefined;
  readonly targets: readonly Target[];
  readonly onChange: (value: ParameterValue | null) => void;
};

export function ParameterField({ name, value, targets, onChange }: ParameterFieldProps) {
  const t = useTexts(settingsTexts);
  const description = useDescription(name, targets);
  const shape: ParameterShape = PARAMETERS[name];
  const labels = { label: t(name), description, size: 'sm' as const };
  switch (shape.kind) {
    case 'choice':
      return (
        <Select
          {...labels}
          data={shape.choices.map((choice) => ({
            value: choice,
            label: choice === 'text' || choice === 'json_object' ? t(choice) : choice,
          }))}
          value={typeof value === 'string' ? value : null}
          placeholder={t('byModel')}
          clearable
          onChange={onChange}
        />
      );
    case 'list':
      return (
        <TagsInput
          {...labels}
          value={Array.isArray(value) ? [...value] : []}
          maxTags={shape.max}
          // A comma or a space does not end the entry, since it may be part of a stop sequence.
          splitChars={[]}
          acceptValueOnBlur
          onChange={onChange}
        />
      );
    default:
      return (
        <NumberInput
          {...labels}
          {...rangeOf(shape, targets)}
          value={typeof value === 'number' ? value : ''}
          placeholder={t('byModel')}
          onChange={(next) => onChange(typeof next === 'number' ? next : null)}
        />
      );
  }
}

type NumberShape = Exclude<ParameterShape, { readonly kind: 'choice' | 'list' }>;

function rangeOf(shape: NumberShape, targets: readonly Target[]) {
  switch (shape.kind) {
    case 'number':
      return { min: shape.min, max: shape.max, step: shape.step, decimalScale: 2 };
    case 'integer':
      return { allowDecimal: false, step: 1 };
    case 'output':
      return {
        ...{ min: 1, step: 256, allowDecimal: false, thousandSeparator: ',' },
        max: mostOutput(targets.map(({ model }) => model)),
      };
  }
}

const mostOutput = (models: readonly Model[]): number =>
  Math.max(1, ...models.map(({ max_output_tokens: most }) => most ?? 1));

/** Describes what the parameter does, and which targets support it if not all do. */
function useDescription(name: ParameterName, targets: readonly Target[]): string {
  const t = useTexts(settingsTexts);
  const formats = useFormats();
  const shape: ParameterShape = PARAMETERS[name];
  const max =
    shape.kind === 'list'
      ? shape.max
      : formats.count(mostOutput(targets.map(({ model }) => model)));
  const hint = t(`${name}Hint`, { max });
  const supporting = targets.filter((target) => isSupported(name, target));
  if (supporting.length === targets.length) return hint;
  const models = new Set(supporting.map(({ model }) => model.name));
  return `${hint} · ${t('onlyFor', { models: formats.list([...models]) })}`;
}
