/** The form with every price of a model, on one channel or on all of its channels. */
import { Fieldset, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { asObject } from '#api/json.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { isOutputPrice, isPriceKey, PRICE_KEYS } from '#catalogue/usage-buckets.ts';
import { AmountInput } from '#components/forms/amount-input.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import {
  channelIn,
  costAt,
  isPrice,
  isSame,
  itemAt,
  itemsOf,
  keyOf,
  type Models,
  NOT_SOLD,
  type Place,
  type PriceEdits,
  type PriceItem,
  TOKEN_DECIMALS,
} from './price-edit.ts';
import { useItemName } from './price-names.ts';
import { pricesTexts } from './prices-texts.ts';
import { FROM_NOW, momentOf, type Start, StartFields, startProblems } from './start-fields.tsx';

export type PriceFieldsProps = {
  readonly models: Models;
  readonly places: readonly Place[];
  readonly onReview: (edits: PriceEdits, from: string | null) => void;
  readonly onCancel: () => void;
};

type Field = PriceItem & Place & { readonly price: unknown; readonly cost: string | null };

/** The token prices that a channel may have in addition to the input price and the output price. */
const OPTIONAL = ['cache_read', 'cache_write', 'cache_write_1h'] as const;
const REQUIRED = ['input', 'output'];

function fieldsOf(models: Models, places: readonly Place[]): readonly Field[] {
  return places.flatMap((place) => {
    const { price, cost } = channelIn(models, place) ?? {};
    const items = itemsOf(price);
    const isText = asObject(models.get(place.model))?.['kind'] === 'chat';
    const absent = OPTIONAL.filter((key) => isText && itemAt(price, [key]) === undefined);
    const blank = absent.map((key) => ({ path: [key], value: '', decimals: TOKEN_DECIMALS }));
    return [...items, ...blank]
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((item) => ({ ...item, ...place, price, cost: costAt(price, cost, item.path) }));
  });
}

/**
 * Returns the sort position of a price: prices without conditions first, in the order of
 * `PRICE_KEYS`.
 */
const placeOf = ({ path }: Pick<PriceItem, 'path'>): number => {
  const [key = '', ...rest] = path;
  return rest.length === 0 && isPriceKey(key) ? PRICE_KEYS.indexOf(key) : PRICE_KEYS.length;
};

const isOptional = ({ path: [key = '', ...rest] }: Field): boolean =>
  rest.length === 0 && isPriceKey(key) && !REQUIRED.includes(key);

export function PriceFields({ models, places, onReview, onCancel }: PriceFieldsProps) {
  const t = useTexts(pricesTexts);
  const channelName = useChannelName();
  const [fields] = useState(() => fieldsOf(models, places));
  const { form, ...sending } = useApiForm<Start & { readonly prices: string[] }, PriceEdits>({
    initialValues: { ...FROM_NOW, prices: fields.map(({ value }) => value) },
    validate: ({ prices, ...start }) => ({
      ...Object.fromEntries(
        fields.map((field, index) => [
          `prices.${index}`,
          problemOf(field, prices[index]?.trim() ?? '', t),
        ]),
      ),
      ...startProblems(start, Date.now(), t),
    }),
    send: async ({ prices }) => editsOf(fields, prices),
    onSent: (edits, values) => onReview(edits, momentOf(values) ?? null),
  });
  const isUnchanged = editsOf(fields, form.values.prices).length === 0;
  return (
    <FormBody of={sending} submit={t('review')} isDisabled={isUnchanged} onCancel={onCancel}>
      {places.map((place) => (
        <Fieldset key={place.channel} legend={channelName(place.channel)}>
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
            {fields.map((field, index) =>
              field.channel === place.channel ? (
                <PriceInput
                  key={keyOf(field.path)}
                  field={field}
                  text={form.values.prices[index] ?? ''}
                  {...form.getInputProps(`prices.${index}`)}
                />
              ) : null,
            )}
          </SimpleGrid>
        </Fieldset>
      ))}
      <StartFields form={form} />
    </FormBody>
  );
}

function problemOf(
  field: Field,
  text: string,
  t: ReturnType<typeof useTexts<'missing' | 'notPrice'>>,
): string | null {
  if (text === '') return isOptional(field) ? null : t('missing');
  if (text === NOT_SOLD && field.decimals === TOKEN_DECIMALS) return null;
  return isPrice(text, field.decimals) ? null : t('notPrice', { count: field.decimals });
}

/** Returns the entered prices that differ from the configured prices, by channel. */
function editsOf(fields: readonly Field[], prices: readonly string[]): PriceEdits {
  const changed = fields.flatMap((field, index) => {
    const text = prices[index]?.trim() ?? '';
    return isSame(text, field.value) ? [] : [{ ...field, value: text === '' ? null : text }];
  });
  return [
    ...Map.groupBy(changed, ({ model, channel }) => JSON.stringify([model, channel])),
  ].flatMap(([, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { model, channel } = first;
    return [{ model, channel, edits: own.map(({ path, value }) => ({ path, value })) }];
  });
}

type PriceInputProps = { readonly field: Field; readonly text: string };

function PriceInput({ field, text, ...input }: PriceInputProps) {
  const t = useTexts(pricesTexts);
  const nameOf = useItemName();
  const { percent } = useFormats();
  const { path, price, cost } = field;
  const [key = ''] = path;
  const margin = marginOf(text.trim(), cost);
  const isBlank = isOptional(field) && text.trim() === '';
  const other = isPriceKey(key) && isOutputPrice(key) ? 'output' : 'input';
  const shownCost = cost === null ? null : formatExact(parseAmount(cost));
  const description = isBlank
    ? t('optional', { other: t(key === 'cache_write_1h' ? 'cache_write' : other) })
    : shownCost === null
      ? undefined
      : margin === null
        ? t('cost', { cost: shownCost })
        : t('costs', { cost: shownCost, margin: percent(margin) });
  return (
    <AmountInput
      label={nameOf(path, price)}
      {...(description === undefined ? {} : { description })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      currency="USD"
      maxLength={20}
      {...input}
    />
  );
}

const FULL = 10_000n;

/**
 * Returns the margin as a fraction of the price, for display; null without a cost, or without a
 * valid price above zero.
 */
function marginOf(text: string, cost: string | null): number | null {
  if (cost === null || !isPrice(text) || parseAmount(text) === 0n) return null;
  const price = parseAmount(text);
  return Number(((price - parseAmount(cost)) * FULL) / price) / Number(FULL);
}
