/**
 * The form fields for each image size: the cost and the price of an image, or its number of tokens
 * if images are priced by token.
 */
import { Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import {
  amountsOf,
  type problemsOf,
  type Settings,
  type SoldModel,
  sizesOf,
} from './provider-draft.ts';
import { providerTexts } from './provider-texts.ts';

export type SizeFieldsProps = {
  readonly model: SoldModel;
  readonly models: Settings;
  readonly wrong: ReturnType<typeof problemsOf>;
  readonly onChange: (changed: Partial<SoldModel>) => void;
};

export function SizeFields({ model, models, wrong, onChange }: SizeFieldsProps) {
  const t = useTexts(providerTexts);
  const names = model.isByToken ? (['tokens'] as const) : (['cost', 'price'] as const);
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('pricedBy')}
        value={model.isByToken ? 'token' : 'image'}
        onChange={(value) => onChange({ isByToken: value === 'token' })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt={4}>
          <Radio value="image" label={t('byImage')} />
          <Radio value="token" label={t('byToken')} />
        </SimpleGrid>
      </Radio.Group>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {sizesOf(models, model).flatMap((size) =>
          names.map((name) => (
            <TextInput
              key={`${size} ${name}`}
              label={`${t(`size_${name}`)}, ${size}`}
              description={name === 'tokens' ? null : t('perImage')}
              inputMode="decimal"
              maxLength={20}
              value={amountsOf(model, size)[name]}
              onChange={({ currentTarget: { value } }) =>
                onChange({
                  bySize: { ...model.bySize, [size]: { ...amountsOf(model, size), [name]: value } },
                })
              }
            />
          )),
        )}
      </SimpleGrid>
      {wrong.bySize === undefined ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t(`wrong_${wrong.bySize}`)}
        </Text>
      )}
    </Stack>
  );
}
