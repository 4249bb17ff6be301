/** The form with every price of a model, on one channel or on all of its channels. */
import { Fieldset, SimpleGrid } from '@mantine/core';
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
  priceAt,
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

/** Returns a field for each price that the channels have at the time `from`; null means now. */
function fieldsOf(models: Models, places: readonly Place[], from: string | null): readonly Field[] {
  return places.flatMap((place) => {
    const price = priceAt(models, place, from);
    const { cost } = channelIn(models, place) ?? {};
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

/** The texts that the person typed, by the name of the field. */
type Typed = Readonly<Record<string, string>>;
type Values = Start & { readonly typed: Typed };

/** The name of a field in the form, which must contain neither dots nor quotes. */
const nameOf = ({ channel, path }: Field): string =>
  encodeURIComponent(keyOf([channel, ...path])).replaceAll('.', '%2E');

/** Returns the text that the field shows: what the person typed, otherwise the present price. */
const textOf = (field: Field, typed: Typed): string => typed[nameOf(field)] ?? field.value;

export function PriceFields({ models, places, onReview, onCancel }: PriceFieldsProps) {
  const t = useTexts(pricesTexts);
  const channelName = useChannelName();
  // The fields show the prices of the chosen start, which other announced prices may determine.
  const fieldsAt = (start: Start) => fieldsOf(models, places, momentOf(start) ?? null);
  const { form, ...sending } = useApiForm<Values, PriceEdits>({
    initialValues: { ...FROM_NOW, typed: {} },
    validate: ({ typed, ...start }) => ({
      ...Object.fromEntries(
        fieldsAt(start).map((field) => [
          `typed.${nameOf(field)}`,
          problemOf(field, textOf(field, typed).trim(), t),
        ]),
      ),
      ...startProblems(start, Date.now(), t),
    }),
    send: async ({ typed, ...start }) => editsOf(fieldsAt(start), typed),
    onSent: (edits, values) => onReview(edits, momentOf(values) ?? null),
  });
  const { typed, ...start } = form.values;
  const fields = fieldsAt(start);
  const isUnchanged = editsOf(fields, typed).length === 0;
  return (
    <FormBody of={sending} submit={t('review')} isDisabled={isUnchanged} onCancel={onCancel}>
      {places.map((place) => (
        <Fieldset key={place.channel} legend={channelName(place.channel)}>
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
            {fields.map((field) =>
              field.channel === place.channel ? (
                <PriceInput
                  key={keyOf(field.path)}
                  field={field}
                  {...form.getInputProps(`typed.${nameOf(field)}`)}
                  value={textOf(field, typed)}
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

/** Returns the entered prices that differ from the prices of the fields, by channel. */
function editsOf(fields: readonly Field[], typed: Typed): PriceEdits {
  const changed = fields.flatMap((field) => {
    const text = textOf(field, typed).trim();
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

type PriceInputProps = { readonly field: Field; readonly value: string };

function PriceInput({ field, ...input }: PriceInputProps) {
  const t = useTexts(pricesTexts);
  const itemName = useItemName();
  const { percent } = useFormats();
  const { path, price, cost } = field;
  const [key = ''] = path;
  const text = input.value.trim();
  const margin = marginOf(text, cost);
  const isBlank = isOptional(field) && text === '';
  const other = isPriceKey(key) && isOutputPrice(key) ? 'output' : 'input';
  const shownCost = cost === null ? null : formatExact(parseAmount(cost));
  const description = isBlank
    ? t(key === 'cache_write_1h' ? 'optionalTwice' : 'optional', { other: t(other) })
    : shownCost === null
      ? undefined
      : margin === null
        ? t('cost', { cost: shownCost })
        : t('costs', { cost: shownCost, margin: percent(margin) });
  return (
    <AmountInput
      label={itemName(path, price)}
      {...(description === undefined ? {} : { description })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      currency="USD"
      maxLength={20}
      data-autofocus
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
