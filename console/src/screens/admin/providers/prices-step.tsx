/**
 * The third step of the guided form that connects a provider: for each model, the name for callers,
 * the channel, sizes, cost and price.
 */
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { oneOf } from '#api/lists.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS } from '#catalogue/models.ts';
import { useTexts } from '#i18n/texts.ts';
import {
  channelsOf,
  joins,
  KINDS,
  problemsOf,
  type Settings,
  type SoldModel,
  sourceOf,
  timesFactor,
  tokenAmounts,
} from './provider-draft.ts';
import { providerTexts } from './provider-texts.ts';
import { SizeFields } from './size-fields.tsx';
import { StepFooter } from './step-footer.tsx';
import { useWrongFocus } from './wrong-focus.ts';

export type PricesStepProps = {
  readonly sold: readonly SoldModel[];
  readonly models: Settings;
  readonly onChange: (sold: readonly SoldModel[]) => void;
  readonly onBack: () => void;
  readonly onDone: () => void;
};

export function PricesStep({ sold, models, onChange, onBack, onDone }: PricesStepProps) {
  const t = useTexts(providerTexts);
  const [checks, setChecks] = useState(0);
  const form = useWrongFocus(checks);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isFine = sold.every((_, at) => Object.keys(problemsOf(sold, at, models)).length === 0);
    setChecks(checks + 1);
    if (isFine) onDone();
  };
  const apply = (factor: string): void =>
    onChange(
      sold.map((model) => ({
        ...model,
        priceIn: timesFactor(model.costIn, factor) ?? model.priceIn,
        priceOut: timesFactor(model.costOut, factor) ?? model.priceOut,
        bySize: Object.fromEntries(
          Object.entries(model.bySize).map(([size, amounts]) => [
            size,
            { ...amounts, price: timesFactor(amounts.cost, factor) ?? amounts.price },
          ]),
        ),
      })),
    );
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <Factor onApply={apply} />
        {sold.map((model, at) => (
          <ModelFields
            key={model.there}
            model={model}
            models={models}
            wrong={checks > 0 ? problemsOf(sold, at, models) : {}}
            onChange={(changed) =>
              onChange(sold.map((each, index) => (index === at ? { ...each, ...changed } : each)))
            }
          />
        ))}
        <StepFooter next={t('next')} onBack={onBack} />
      </Stack>
    </form>
  );
}

function Factor({ onApply }: { readonly onApply: (factor: string) => void }) {
  const t = useTexts(providerTexts);
  const [factor, setFactor] = useState('1.3');
  return (
    <Group align="flex-end">
      <TextInput
        w={96}
        label={t('factor')}
        inputMode="decimal"
        value={factor}
        maxLength={12}
        onChange={(event) => setFactor(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={timesFactor('1', factor) === null}
        onClick={() => onApply(factor)}
      >
        {t('apply')}
      </Button>
      <Text variant="note">{t('applyHint')}</Text>
    </Group>
  );
}

type ModelFieldsProps = {
  readonly model: SoldModel;
  readonly models: Settings;
  readonly wrong: ReturnType<typeof problemsOf>;
  readonly onChange: (changed: Partial<SoldModel>) => void;
};

/** The numbers to enter for a new model, by its kind. An image model has sizes instead. */
const COUNTS = {
  chat: ['context', 'maxOutput'],
  embedding: ['context', 'dimensions'],
  image: [],
} as const;

function ModelFields({ model, models, wrong, onChange }: ModelFieldsProps) {
  const t = useTexts(providerTexts);
  const channelName = useChannelName();
  const isKnown = channelsOf(models, model.here) !== null;
  const isJoining = joins(models, model);
  const field = (name: keyof ModelFieldsProps['wrong'] & keyof typeof model) => {
    const problem = wrong[name];
    return {
      value: String(model[name]),
      error: problem === undefined ? null : t(`wrong_${problem}`),
      onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
        onChange({ [name]: event.currentTarget.value }),
    };
  };
  return (
    <Fieldset legend={model.there}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          <TextInput label={t('here')} maxLength={128} {...field('here')} />
          <Select
            label={t('channel')}
            allowDeselect={false}
            data={CHANNELS.map((value) => ({ value, label: channelName(value) }))}
            value={model.channel}
            onChange={(value) => onChange({ channel: oneOf(CHANNELS, value) ?? 'direct' })}
          />
          {isKnown && wrong.here !== 'kind' ? null : (
            <Select
              label={t('kind')}
              allowDeselect={false}
              data={KINDS.map((value) => ({ value, label: t(value) }))}
              value={model.kind}
              onChange={(value) => onChange({ kind: oneOf(KINDS, value) ?? 'chat' })}
            />
          )}
          {isKnown
            ? null
            : COUNTS[model.kind].map((name) => (
                <TextInput
                  key={name}
                  label={t(name)}
                  inputMode="numeric"
                  maxLength={8}
                  {...field(name)}
                />
              ))}
        </SimpleGrid>
        {model.kind === 'image' ? (
          <>
            {isKnown ? null : (
              <TagsInput
                label={t('sizes')}
                placeholder="1024x1024"
                value={[...model.sizes]}
                error={wrong.sizes === undefined ? null : t('wrong_sizes')}
                acceptValueOnBlur
                onChange={(sizes) => onChange({ sizes })}
              />
            )}
            {isJoining ? null : <SizeFields {...{ model, models, wrong, onChange }} />}
          </>
        ) : null}
        {isJoining ? null : (
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            {tokenAmounts(model).map((name) => (
              <TextInput
                key={name}
                label={t(model.kind === 'image' ? `image_${name}` : name)}
                description={t('perMillion')}
                inputMode="decimal"
                maxLength={20}
                {...field(name)}
              />
            ))}
          </SimpleGrid>
        )}
        {isJoining || sourceOf(model) === null ? null : (
          <Text variant="note">{t('costSource', { source: sourceOf(model) ?? '' })}</Text>
        )}
        {isKnown ? (
          <Text variant="note">{t(isJoining ? 'joins' : 'keepsModel')}</Text>
        ) : model.kind !== 'chat' ? null : (
          <Checkbox
            label={t('images')}
            checked={model.readsImages}
            onChange={(event) => onChange({ readsImages: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </Fieldset>
  );
}
