/** The properties by which models are compared, and which of their values is best. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ListedPrice, Modalities, TokenCount, useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import { CHANNELS, type Channel, type ChannelName, type Model } from '#catalogue/models.ts';
import { SHOWN_PRICES } from '#catalogue/price.ts';
import { useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { FirstByte, Speed, Uptime } from './channel-figures.tsx';
import { defaultChannel } from './model-card.tsx';

export type Property = {
  readonly name: string;
  readonly heading: string;
  readonly cell: (model: Model) => ReactNode;
  /** Returns the model's value of this property; null if it has none. */
  readonly value: (model: Model) => string | number | bigint | null;
  /** Whether the lowest or the highest value is best; omitted if neither is. */
  readonly best?: 'least' | 'most';
};

/** Whether any of the models has a value of this property. */
export const isKnown = ({ value }: Property, models: readonly Model[]): boolean =>
  models.some((model) => value(model) !== null);

/** Whether the models have different values of this property. */
export const differs = ({ value }: Property, models: readonly Model[]): boolean =>
  new Set(models.map(value)).size > 1;

/** Returns the ids of the models with the best value; empty if all known values are equal. */
export function bestOf(
  { value, best }: Pick<Property, 'value' | 'best'>,
  models: readonly Model[],
): readonly string[] {
  const known = models.flatMap((model) => {
    const each = value(model);
    return each === null ? [] : [{ id: model.id, each }];
  });
  const [first] = known;
  if (best === undefined || first === undefined || known.length < 2) return [];
  const top = known.reduce(
    (so, { each }) => ((best === 'least' ? each < so : each > so) ? each : so),
    first.each,
  );
  const winners = known.filter(({ each }) => each === top).map(({ id }) => id);
  return winners.length === known.length ? [] : winners;
}

/** Returns the properties to compare, including the prices of each channel that a model has. */
export function useProperties(models: readonly Model[]): readonly Property[] {
  const facts = useFacts();
  const prices = usePrices(models);
  return [...prices, ...useFigures(), ...facts];
}

const channelOf = (model: Model, name: ChannelName): Channel | undefined =>
  model.channels.find(({ channel }) => channel === name);

function usePrices(models: readonly Model[]): readonly Property[] {
  const t = useTexts(modelTexts);
  const nameOf = useChannelName();
  return CHANNELS.flatMap((channel) => {
    const keys = new Set(
      models.flatMap((model) => {
        const price = channelOf(model, channel)?.price;
        if (price === undefined) return [];
        return price.per_image === null ? SHOWN_PRICES[model.kind] : Object.keys(price.per_image);
      }),
    );
    return [...keys].map((key): Property => {
      const listed = (model: Model): string | null => priceOf(channelOf(model, channel), key);
      const token = TOKEN_PRICES.find((name) => name === key);
      const what = token === undefined ? key.replace('x', '×').replace('/', ' · ') : t(token);
      return {
        name: `${channel} ${key}`,
        heading: `${nameOf(channel)} · ${what}`,
        cell: (model) => <ListedPrice of={listed(model)} />,
        value: (model) => {
          const price = listed(model);
          return price === null ? null : parseAmount(price);
        },
        best: 'least',
      };
    });
  });
}

const TOKEN_PRICES = ['input', 'output', 'cache_read', 'cache_write', 'image_output'] as const;

function priceOf(channel: Channel | undefined, key: string): string | null {
  const token = TOKEN_PRICES.find((name) => name === key);
  if (channel === undefined) return null;
  return token === undefined ? (channel.price.per_image?.[key] ?? null) : channel.price[token];
}

/**
 * Returns the health properties, such as the time to first token, of each model's default channel.
 */
function useFigures(): readonly Property[] {
  const t = useTexts(modelTexts);
  const health = (model: Model) => defaultChannel(model)?.health ?? null;
  const figure = (
    name: string,
    heading: string,
    best: 'least' | 'most',
    value: (of: Channel['health']) => number | null,
    cell: (of: Channel['health']) => ReactNode,
  ): Property => ({
    ...{ name, heading, best },
    value: (model) => {
      const own = health(model);
      return own === null ? null : value(own);
    },
    cell: (model) => {
      const own = health(model);
      return own === null ? null : cell(own);
    },
  });
  return [
    figure(
      'first-token',
      t('firstByte'),
      'least',
      ({ first_byte_ms: times }) => times?.p50 ?? null,
      (own) => <FirstByte health={own} />,
    ),
    figure(
      'speed',
      t('speed'),
      'most',
      ({ tokens_per_second: speed }) => speed,
      (own) => <Speed health={own} />,
    ),
    figure(
      'uptime',
      t('uptime'),
      'most',
      ({ uptime_90d: ratio }) => ratio,
      (own) => <Uptime ratio={own.uptime_90d} />,
    ),
  ];
}

function useFacts(): readonly Property[] {
  const t = useTexts(modelTexts);
  const fact = (
    name: string,
    heading: string,
    value: (model: Model) => string | null,
  ): Property => ({ name, heading, value, cell: (model) => <Fact text={value(model)} /> });
  return [
    {
      name: 'context',
      heading: t('context'),
      cell: (model) => <TokenCount count={model.context_length} />,
      value: (model) => model.context_length,
      best: 'most',
    },
    {
      name: 'output',
      heading: t('maxOutput'),
      cell: (model) => <TokenCount count={model.max_output_tokens} />,
      value: (model) => model.max_output_tokens,
      best: 'most',
    },
    {
      name: 'takes',
      heading: t('takes'),
      cell: (model) => <Modalities names={model.input_modalities} />,
      value: (model) => model.input_modalities.join(),
    },
    fact('kind', t('kind'), ({ kind }) => t(kind)),
    fact('maker', t('maker'), ({ maker }) => maker),
    fact('tags', t('tags'), ({ tags }) => tags.join(', ')),
    fact('released', t('released'), ({ release_date: date }) => date ?? t('unknown')),
    fact('settlement', t('settlement'), ({ settlement }) => settlement),
  ];
}

const Fact = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? (
    <Text span inherit c="dimmed">
      –
    </Text>
  ) : (
    text
  );
