/**
 * The form fields of a key: name, monthly limit and expiry. All other form fields are in a
 * collapsed section.
 */
import {
  Button,
  Checkbox,
  Collapse,
  Fieldset,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { oneOf } from '#api/lists.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { CHANNELS, useModels } from '#catalogue/models.ts';
import { DayInput } from '#components/forms/day-input.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import type { SpendOf, SpendWindow } from './budget.ts';
import {
  type ApiKey,
  type CapsForm,
  hasRareLimits,
  type KeyForm,
  LIFETIME_NAMES,
  localDay,
  SCOPES,
  spentBeyond,
} from './key-form.ts';
import { keyFormTexts } from './key-form-texts.ts';
import { keyTexts } from './key-texts.ts';

export type KeyFieldsProps = {
  readonly form: UseFormReturnType<KeyForm>;
  /** The spend of an existing key or account; null for a new key. */
  readonly spend: ApiKey['spend'] | null;
  /** The description of the name field; by default, the description of a key's name. */
  readonly nameHint?: string;
};

export function KeyFields({ form, spend, nameHint }: KeyFieldsProps) {
  const t = useTexts(keyFormTexts);
  const [isOpen, { toggle }] = useDisclosure(hasRareLimits(form.values));
  const rareId = useId();
  // An error in a field of the section opens the section, so that the error is visible.
  const isShown = isOpen || Object.keys(form.errors).some((path) => isRare(path));
  return (
    <Stack>
      <TextInput
        label={t('name')}
        placeholder={t('namePlaceholder')}
        description={nameHint ?? t('nameHint')}
        maxLength={100}
        withAsterisk
        data-autofocus
        {...form.getInputProps('name')}
      />
      <CapField form={form} window="month" spend={spend} description={t('monthHint')} />
      <ExpiryField form={form} />
      <Button
        variant="subtle"
        size="compact-sm"
        justify="flex-start"
        aria-expanded={isShown}
        aria-controls={rareId}
        rightSection={isShown ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
        onClick={toggle}
      >
        {t(isShown ? 'less' : 'more')}
      </Button>
      <Collapse expanded={isShown} id={rareId}>
        <RareFields form={form} spend={spend} />
      </Collapse>
    </Stack>
  );
}

const isRare = (path: string): boolean =>
  !['name', 'limits.spend.month', 'expires_at'].includes(path);

/**
 * The form suggests an expiry this many days from now. It is only a month, so that a forgotten key
 * does little harm.
 */
const OFFERED_DAYS = 30;
const DAY_MS = 86_400_000;

/** The field for the expiry of a key: never, after an offered lifetime, or at the end of a day. */
function ExpiryField({ form }: Pick<KeyFieldsProps, 'form'>) {
  const t = useTexts(keyFormTexts);
  const zone = useTimeZone();
  const { expires_at: expires } = form.values;
  const lifetime = oneOf(LIFETIME_NAMES, expires);
  const { value: _, ...dayProps } = form.getInputProps('expires_at');
  const choose = (choice: string | null): void =>
    form.setFieldValue(
      'expires_at',
      choice === ON_DAY ? localDay(new Date(Date.now() + OFFERED_DAYS * DAY_MS)) : (choice ?? ''),
    );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t('expires')}
        data={['', ...LIFETIME_NAMES, ON_DAY].map((value) => ({
          value,
          label: t(value === '' ? 'never' : (oneOf(LIFETIME_NAMES, value) ?? 'onDay')),
        }))}
        value={expires === '' ? '' : (lifetime ?? ON_DAY)}
        allowDeselect={false}
        onChange={choose}
      />
      {expires === '' || lifetime !== undefined ? null : (
        <DayInput
          label={t('lastDay', { zone })}
          min={localDay(new Date())}
          {...dayProps}
          value={expires === ON_DAY ? '' : expires}
          // If the person empties the field, the form asks for a day instead of creating a key that
          // never expires.
          onChange={(day) => form.setFieldValue('expires_at', day === '' ? ON_DAY : day)}
        />
      )}
    </SimpleGrid>
  );
}

const ON_DAY = 'day';

function RareFields({ form, spend }: KeyFieldsProps) {
  const t = useTexts(keyFormTexts);
  return (
    <Stack>
      <Fieldset legend={t('spending')}>
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <CapField form={form} window="day" spend={spend} />
            <CapField form={form} window="week" spend={spend} />
            <CapField form={form} window="total" spend={spend} />
          </SimpleGrid>
          <Text variant="caption">{t('utc')}</Text>
        </Stack>
      </Fieldset>
      <Fieldset legend={t('use')}>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <CountField form={form} name="requests_per_minute" label={t('requests')} />
          <CountField form={form} name="tokens_per_minute" label={t('tokens')} />
          <CountField form={form} name="concurrency" label={t('concurrency')} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t('restrictions')}>
        <RestrictionFields form={form} />
      </Fieldset>
      {form.values.scopes === undefined ? null : <ScopeFields form={form} />}
    </Stack>
  );
}

/** The fields for the scopes of the key. The API lets only owners create keys that manage keys. */
function ScopeFields({ form }: Pick<KeyFieldsProps, 'form'>) {
  const t = useTexts(keyFormTexts);
  const names = useTexts(keyTexts);
  const isOwner = mayAs(useSignedIn().role, 'owner');
  const { scopes } = form.values;
  return (
    <Fieldset legend={t('scopes')}>
      <Checkbox.Group {...form.getInputProps('scopes')}>
        <Stack gap="sm" pb={form.errors['scopes'] === undefined ? 0 : 'xs'}>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={names(scope)}
              description={t(`${scope}Hint`)}
              disabled={scope === 'manage' && !isOwner && scopes?.includes(scope) !== true}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Fieldset>
  );
}

function RestrictionFields({ form }: Pick<KeyFieldsProps, 'form'>) {
  const t = useTexts(keyFormTexts);
  const { data: catalogue = [] } = useModels();
  const { models, channels, ip_ranges: ranges } = form.values.limits;
  // The options also contain models that the key already allows but that are not in the catalog.
  const known = [...new Set([...catalogue.map(({ id }) => id), ...models])];
  return (
    <Stack>
      <MultiSelect
        label={t('models')}
        description={t('modelsHint')}
        placeholder={models.length === 0 ? t('allModels') : ''}
        data={known}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage={t('nothingFound')}
        {...form.getInputProps('limits.models')}
      />
      <MultiSelect
        label={t('channels')}
        description={t('channelsHint')}
        placeholder={channels.length === 0 ? t('allChannels') : ''}
        data={[...CHANNELS]}
        clearable
        {...form.getInputProps('limits.channels')}
      />
      <TagsInput
        label={t('addresses')}
        description={t('addressesHint')}
        placeholder={ranges.length === 0 ? t('anywhere') : ''}
        clearable
        acceptValueOnBlur
        splitChars={[',', ' ', ';']}
        {...form.getInputProps('limits.ip_ranges')}
      />
    </Stack>
  );
}

export type CapFieldProps = {
  readonly form: {
    readonly values: CapsForm;
    readonly getInputProps: (path: `limits.spend.${SpendWindow}`) => object;
  };
  readonly window: SpendWindow;
  /** The spend so far; null for a new key. */
  readonly spend: SpendOf | null;
  readonly description?: string;
};

/**
 * The field of a spending limit. It is a text field, because a number field would round amounts
 * with many digits.
 */
export function CapField({ form, window, spend, ...input }: CapFieldProps) {
  const t = useTexts(keyFormTexts);
  const names = useTexts(keyTexts);
  const isUsedUp = spend !== null && spentBeyond(form.values, spend).includes(window);
  const spent = spend?.[window]?.spent ?? '0';
  return (
    <Stack gap={6}>
      <TextInput
        label={t(window)}
        placeholder={t('noLimit')}
        inputMode="decimal"
        leftSection="$"
        autoComplete="off"
        {...input}
        {...form.getInputProps(`limits.spend.${window}`)}
      />
      <Text size="sm" c="var(--mantine-color-orange-light-color)" role="status" hidden={!isUsedUp}>
        {isUsedUp
          ? t('beyond', {
              spent: withCurrency(formatShort(parseAmount(spent)), 'USD'),
              window: names(window),
            })
          : null}
      </Text>
    </Stack>
  );
}

type CountFieldProps = Pick<KeyFieldsProps, 'form'> & {
  readonly name: 'requests_per_minute' | 'tokens_per_minute' | 'concurrency';
  readonly label: string;
};

function CountField({ form, name, label }: CountFieldProps) {
  const t = useTexts(keyFormTexts);
  return (
    <TextInput
      label={label}
      placeholder={t('noLimit')}
      inputMode="numeric"
      autoComplete="off"
      {...form.getInputProps(`limits.${name}`)}
    />
  );
}
