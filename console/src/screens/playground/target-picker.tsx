/** The form fields that select a model and a channel, with the price and health of each. */
import { Group, Select, type SelectProps, Text } from '@mantine/core';
import { ChannelState } from '#catalogue/channel-state.tsx';
import { ExamplePrice, useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { answerPrice, lowestPrice } from '#catalogue/price.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import { channelOf } from './chat/settings/parameters.ts';
import classes from './target-picker.module.css';
import { targetTexts } from './target-texts.ts';

/** The option value that stands for the default channel. No channel has this name. */
const BY_DEFAULT = 'default';

export type TargetPickerProps = {
  /** The models to choose from, all of the same kind. */
  readonly models: readonly Model[];
  readonly model: string;
  readonly channel: string | null;
  readonly onChange: (choice: { readonly model: string; readonly channel: string | null }) => void;
};

export function TargetPicker({ models, model: id, channel, onChange }: TargetPickerProps) {
  const t = useTexts(targetTexts);
  const model = models.find((each) => each.id === id);
  const makers = Map.groupBy(models, ({ maker }) => maker);
  return (
    <div className={classes['picker']}>
      <Select
        aria-label={t('model')}
        className={classes['model'] ?? ''}
        data={[...makers].map(([group, items]) => ({
          group,
          items: items.map((each) => ({ value: each.id, label: each.name })),
        }))}
        value={model === undefined ? null : id}
        placeholder={id}
        error={model === undefined ? t('unavailable', { model: id }) : undefined}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('noModel')}
        maxDropdownHeight={360}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        renderOption={({ option }) => <ModelOption model={find(models, option.value)} />}
        // Selects the default channel, because the new model may not have the current channel.
        onChange={(value) => value !== null && onChange({ model: value, channel: null })}
      />
      {model === undefined ? null : (
        <ChannelSelect
          model={model}
          channel={channel}
          onChange={(name) => onChange({ model: id, channel: name })}
        />
      )}
    </div>
  );
}

const find = (models: readonly Model[], id: string): Model | undefined =>
  models.find((model) => model.id === id);

function ModelOption({ model }: { readonly model: Model | undefined }) {
  if (model === undefined) return null;
  return (
    <Group justify="space-between" wrap="nowrap" gap="lg" flex={1}>
      <div>
        <Text size="sm">{model.name}</Text>
        <Text variant="caption" ff="monospace">
          {model.id}
        </Text>
      </div>
      <Text variant="caption" className={classes['figures'] ?? ''}>
        <PriceText model={model} channel={undefined} />
      </Text>
    </Group>
  );
}

type ChannelSelectProps = {
  readonly model: Model;
  readonly channel: string | null;
  readonly onChange: (channel: string | null) => void;
};

function ChannelSelect({ model, channel, onChange }: ChannelSelectProps) {
  const t = useTexts(targetTexts);
  const tModels = useTexts(modelTexts);
  const channelName = useChannelName();
  const standard = channelOf(model, null);
  const renderOption: SelectProps['renderOption'] = ({ option }) => {
    const of = option.value === BY_DEFAULT ? standard : channelOf(model, option.value);
    return <ChannelOption label={option.label} model={model} channel={of} />;
  };
  return (
    <Select
      aria-label={tModels('channel')}
      className={classes['channel'] ?? ''}
      data={[
        {
          value: BY_DEFAULT,
          label: t('byDefault', { channel: channelName(standard?.channel ?? '') }),
        },
        ...model.channels.map(({ channel: name }) => ({
          value: name,
          label: channelName(name),
        })),
      ]}
      value={channel ?? BY_DEFAULT}
      allowDeselect={false}
      comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
      renderOption={renderOption}
      onChange={(value) => onChange(value === BY_DEFAULT ? null : value)}
    />
  );
}

type OptionProps = {
  readonly label: string;
  readonly model: Model;
  readonly channel: Channel | undefined;
};

function ChannelOption({ label, model, channel }: OptionProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="lg" flex={1}>
      <div>
        <Text size="sm">{label}</Text>
        <Text variant="caption" className={classes['figures'] ?? ''}>
          <PriceText model={model} channel={channel} />
        </Text>
      </div>
      {channel === undefined ? null : <Health health={channel.health} />}
    </Group>
  );
}

function Health({ health }: Pick<Channel, 'health'>) {
  const t = useTexts(targetTexts);
  const formats = useFormats();
  const firstByte = health.first_byte_ms;
  return (
    <Group gap="xs" wrap="nowrap">
      {firstByte === null ? null : (
        <Text variant="caption" className={classes['figures'] ?? ''}>
          {t('firstToken', { time: formats.duration(firstByte.p50) })}
        </Text>
      )}
      <ChannelState state={health.status} />
    </Group>
  );
}

/**
 * Shows the price of `channel`, or of the model's default channel if `channel` is absent. If this
 * is a price per image, shows the lowest price of an image on `channel`, or on all channels if it
 * is absent.
 */
function PriceText({ model, channel }: Pick<OptionProps, 'model' | 'channel'>) {
  const t = useTexts(targetTexts);
  const { price } = channel ?? channelOf(model, null) ?? {};
  if (price === undefined) return null;
  if (price.per_image !== null) {
    const least = lowestPrice({ channels: channel === undefined ? model.channels : [channel] });
    return t('fromImage', { price: withCurrency(formatExact(least), price.currency) });
  }
  const listed = (amount: string | null): string =>
    withCurrency(formatExact(parseAmount(amount ?? '0')), price.currency);
  return t('perMillion', {
    input: listed(price.input),
    output: listed(answerPrice(model.kind, price)),
  });
}

export type TargetFactsProps = { readonly model: Model; readonly channel: string | null };

/** A summary of the chosen model and channel, shown below the form fields. */
export function TargetFacts({ model, channel: name }: TargetFactsProps) {
  const channel = channelOf(model, name);
  if (channel === undefined) return null;
  return (
    <Group gap={6} className={classes['facts'] ?? ''}>
      <Text variant="caption" className={classes['figures'] ?? ''}>
        <PriceText model={model} channel={channel} />
      </Text>
      {channel.example ? <ExamplePrice /> : null}
      {channel.health.status === 'healthy' || channel.health.status === 'unknown' ? null : (
        <ChannelState state={channel.health.status} />
      )}
    </Group>
  );
}
