/** The image form of the selected model, with its price. */
import {
  Button,
  Card,
  Group,
  Input,
  NumberInput,
  Radio,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { IconCode, IconPhotoSpark } from '@tabler/icons-react';
import type { Model } from '#catalogue/models.ts';
import { onSendPress } from '#components/forms/send-key.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { TargetFacts, TargetPicker } from '#screens/playground/target-picker.tsx';
import {
  FORMATS,
  fitted,
  type ImageForm,
  type ImagePrice,
  MAX_PROMPT_CHARACTERS,
  priceOf,
  proportionOf,
} from './image-form.ts';
import classes from './images.module.css';
import { imagesTexts } from './images-texts.ts';

export type ImageFormViewProps = {
  readonly models: readonly Model[];
  readonly form: ImageForm;
  readonly onChange: (form: ImageForm) => void;
  readonly onGenerate: () => void;
  readonly onShowCode: () => void;
};

export function ImageFormView({
  models,
  form,
  onChange,
  onGenerate,
  onShowCode,
}: ImageFormViewProps) {
  const t = useTexts(imagesTexts);
  const model = models.find(({ id }) => id === form.model);
  const price = model === undefined ? null : priceOf(form, model);
  const mayGenerate = form.prompt.trim() !== '' && price !== null;
  const generate = (): void => {
    if (mayGenerate) onGenerate();
  };
  const set = (change: Partial<ImageForm>): void => onChange({ ...form, ...change });
  const choose = (choice: Pick<ImageForm, 'model' | 'channel'>): void => {
    const chosen = models.find(({ id }) => id === choice.model);
    if (chosen !== undefined) onChange(fitted({ ...form, ...choice }, chosen));
  };
  return (
    <Card className={classes['form'] ?? ''}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          generate();
        }}
      >
        <Stack gap="md">
          <Stack gap={4}>
            <TargetPicker
              models={models}
              model={form.model}
              channel={form.channel}
              onChange={choose}
            />
            {model === undefined ? null : <TargetFacts model={model} channel={form.channel} />}
          </Stack>
          <Textarea
            label={t('prompt')}
            placeholder={t('promptHint')}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={MAX_PROMPT_CHARACTERS}
            value={form.prompt}
            onChange={({ currentTarget }) => set({ prompt: currentTarget.value })}
            enterKeyHint="send"
            onKeyDown={onSendPress(generate)}
          />
          {model === undefined ? null : <ModelOptions model={model} form={form} set={set} />}
          <PriceLine price={price} count={form.count} />
          <Group grow preventGrowOverflow={false}>
            <Button
              type="submit"
              disabled={!mayGenerate}
              leftSection={<IconPhotoSpark size={16} aria-hidden />}
            >
              {t('generate')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconCode size={16} aria-hidden />}
              onClick={onShowCode}
            >
              {t('code')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

type ModelOptionsProps = {
  readonly model: Model;
  readonly form: ImageForm;
  readonly set: (change: Partial<ImageForm>) => void;
};

function ModelOptions({ model, form, set }: ModelOptionsProps) {
  const t = useTexts(imagesTexts);
  const { qualities = [], styles = [], max_images: most = 1 } = model;
  return (
    <>
      <SizeChoice sizes={model.sizes ?? []} value={form.size} onChange={(size) => set({ size })} />
      {qualities.length === 0 ? null : (
        <Choice
          label={t('quality')}
          values={qualities}
          value={form.quality ?? ''}
          onChange={(quality) => set({ quality })}
        />
      )}
      {styles.length === 0 ? null : (
        <Choice
          label={t('style')}
          values={styles}
          value={form.style ?? ''}
          onChange={(style) => set({ style })}
        />
      )}
      <Group grow align="flex-start">
        {most === 1 ? null : (
          <NumberInput
            label={t('count')}
            inputWrapperOrder={['label', 'input', 'description']}
            description={t('countHint', { max: most })}
            min={1}
            max={most}
            allowDecimal={false}
            clampBehavior="strict"
            value={form.count}
            onChange={(count) =>
              set({ count: typeof count === 'number' && count >= 1 ? count : 1 })
            }
          />
        )}
        <Choice
          label={t('format')}
          values={FORMATS}
          value={form.format}
          onChange={(value) => {
            const format = FORMATS.find((each) => each === value);
            if (format !== undefined) set({ format });
          }}
        />
      </Group>
    </>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function Choice({ label, values, value, onChange }: ChoiceProps) {
  const t = useTexts(imagesTexts);
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        fullWidth
        aria-label={label}
        data={values.map((each) => ({ value: each, label: isWord(each) ? t(each) : each }))}
        value={value}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
}

const WORDS = ['standard', 'hd', 'vivid', 'natural', 'url', 'b64_json'] as const;
/**
 * Whether a value has a translation. An unknown value may come from an older catalog and is shown
 * as it is.
 */
const isWord = (value: string): value is (typeof WORDS)[number] =>
  WORDS.some((word) => word === value);

type PriceLineProps = { readonly price: ImagePrice | null; readonly count: number };

/**
 * The cost before the request: the price of all images or, if tokens are charged, the highest
 * possible cost.
 */
function PriceLine({ price, count }: PriceLineProps) {
  const t = useTexts(imagesTexts);
  if (price === null) {
    return <Text variant="note">{t('noPrice')}</Text>;
  }
  const { each, total, isMost } = price;
  return (
    <div className={classes['price']} aria-live="polite">
      <Text variant="note">
        {t(isMost ? 'mostPrice' : 'price')}
        {count === 1 && each.currency === total.currency ? null : (
          <>
            {' '}
            {count} × <Money amount={each.amount} currency={each.currency} exact />
          </>
        )}
      </Text>
      <Text fw={650} size="lg">
        <Money amount={total.amount} currency={total.currency} exact />
      </Text>
    </div>
  );
}

const LONGER_SIDE_PX = 36;
/**
 * A size whose longer side has at least this many pixels gets the largest preview. The previews of
 * smaller sizes are proportionally smaller.
 */
const FULL_PX = 1024;
const LEAST_SIDE_PX = 14;

type SizeChoiceProps = {
  readonly sizes: readonly string[];
  readonly value: string;
  readonly onChange: (size: string) => void;
};

/** A field that selects one of the model's sizes, each drawn with its proportions. */
function SizeChoice({ sizes, value, onChange }: SizeChoiceProps) {
  const t = useTexts(imagesTexts);
  return (
    <Radio.Group label={t('size')} value={value} onChange={onChange}>
      <div className={classes['sizes']}>
        {sizes.map((size) => (
          <Radio.Card key={size} value={size} className={classes['sizeCard'] ?? ''} radius="md">
            <SizeCard size={size} />
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

function SizeCard({ size }: { readonly size: string }) {
  const t = useTexts(imagesTexts);
  const { width, height } = proportionOf(size);
  const share = Math.min(1, Math.max(...size.split('x').map(Number)) / FULL_PX);
  const side = Math.max(LEAST_SIDE_PX, share * LONGER_SIDE_PX);
  const shape = width === height ? 'square' : width > height ? 'wide' : 'tall';
  return (
    <>
      <span className={classes['preview']} aria-hidden>
        <span
          className={classes['proportion']}
          style={{ width: width * side, height: height * side }}
        />
      </span>
      <span>
        <Text size="xs" fw={500} style={{ whiteSpace: 'nowrap' }}>
          {size.replace('x', ' × ')}
        </Text>
        <Text variant="caption">{t(shape)}</Text>
      </span>
    </>
  );
}
