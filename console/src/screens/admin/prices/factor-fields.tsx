/** The form that calculates the prices of several models from a factor. */
import { Checkbox, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { oneOf } from '#api/lists.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS } from '#catalogue/models.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { type Factor, isFactor, type Models, multiplied, placesOf } from './price-edit.ts';
import type { Compute } from './price-proposal.ts';
import { pricesTexts } from './prices-texts.ts';
import { FROM_NOW, momentOf, type Start, StartFields, startProblems } from './start-fields.tsx';

export type FactorFieldsProps = {
  readonly models: Models;
  readonly onReview: (compute: Compute) => void;
  readonly onCancel: () => void;
};

const BASES = ['price', 'cost'] as const;
const PLACES = ['2', '3', '4', '6'];
const EXACT = 'exact';

type Values = Start & {
  readonly base: string;
  readonly factor: string;
  readonly decimals: string;
  readonly channels: string[];
};

export function FactorFields({ models, onReview, onCancel }: FactorFieldsProps) {
  const t = useTexts(pricesTexts);
  const channelName = useChannelName();
  const sold = CHANNELS.filter((name) => placesOf(models).some(({ channel }) => channel === name));
  const { form, ...sending } = useApiForm<Values, Compute>({
    initialValues: { ...FROM_NOW, base: 'price', factor: '', decimals: EXACT, channels: [...sold] },
    validate: ({ factor, channels, ...start }) => ({
      factor: isFactor(factor.trim()) ? null : t('notFactor'),
      channels: channels.length > 0 ? null : t('noChannel'),
      ...startProblems(start, Date.now(), t),
    }),
    send: async (values) => computeOf(values),
    onSent: onReview,
  });
  return (
    <FormBody of={sending} submit={t('review')} onCancel={onCancel}>
      <Stack gap={4}>
        <Text size="sm" fw={500} id="price-base">
          {t('base')}
        </Text>
        <SegmentedControl
          aria-labelledby="price-base"
          data={[
            { value: 'price', label: t('basePrice') },
            { value: 'cost', label: t('baseCost') },
          ]}
          {...form.getInputProps('base')}
        />
      </Stack>
      <Group align="flex-start" grow>
        <TextInput
          label={t('factor')}
          description={t('factorHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          data-autofocus
          {...form.getInputProps('factor')}
        />
        <Select
          label={t('rounding')}
          allowDeselect={false}
          data={[
            { value: EXACT, label: t('exact') },
            ...PLACES.map((count) => ({ value: count, label: t('places', { count }) })),
          ]}
          {...form.getInputProps('decimals')}
        />
      </Group>
      <Checkbox.Group label={t('channels')} {...form.getInputProps('channels')}>
        <Group mt={4}>
          {sold.map((name) => (
            <Checkbox key={name} value={name} label={channelName(name)} />
          ))}
        </Group>
      </Checkbox.Group>
      <StartFields form={form} />
    </FormBody>
  );
}

const computeOf =
  ({ base, factor, decimals, channels, ...start }: Values): Compute =>
  (models) => {
    const from = momentOf(start) ?? null;
    const by: Factor = {
      base: oneOf(BASES, base) ?? 'price',
      factor: factor.trim(),
      decimals: decimals === EXACT ? null : Number(decimals),
      from,
    };
    const places = placesOf(models).filter(({ channel }) => channels.includes(channel));
    return { ...multiplied(models, places, by), from };
  };
