/** A model in the list: capabilities, lowest price and channel health. */
import { Card, Checkbox, Group, Stack, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { STATE_COLORS } from '#catalogue/channel-state.tsx';
import {
  ExampleBadge,
  KindBadge,
  ListedPrice,
  Modalities,
  TokenCount,
  useChannelName,
} from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { answerPrice, headlinePrice } from '#catalogue/price.ts';
import { Copyable } from '#components/copyable.tsx';
import { useTexts } from '#i18n/texts.ts';
import classes from './models.module.css';

export type Choice = {
  readonly ids: readonly string[];
  readonly onToggle: (id: string) => void;
  /** Whether the comparison has no room for another model. */
  readonly isFull: boolean;
};

export type ModelCardProps = { readonly model: Model; readonly choice: Choice };

export function ModelCard({ model, choice }: ModelCardProps) {
  return (
    <Card component="article" className={classes['card'] ?? ''} aria-label={model.name}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Stack gap={2} miw={0}>
            <ModelLink model={model} />
            <Copyable value={model.id} />
          </Stack>
          <KindBadge kind={model.kind} />
        </Group>
        <Facts model={model} />
        <Stack gap="xs" mt="auto">
          <LowestPrice model={model} />
          <Group justify="space-between" gap="xs">
            <ChannelDots channels={model.channels} />
            <CompareBox model={model} choice={choice} />
          </Group>
        </Stack>
      </Stack>
    </Card>
  );
}

export function ModelLink({ model }: { readonly model: Model }) {
  return (
    <Link to="/models/$id" params={{ id: model.id }} className={classes['name']}>
      {model.name}
    </Link>
  );
}

function Facts({ model }: { readonly model: Model }) {
  const t = useTexts(modelTexts);
  return (
    <Group gap="md" fz="sm" c="dimmed">
      <span>{model.maker}</span>
      {model.context_length === null ? null : (
        <span>
          {t('context')} <TokenCount count={model.context_length} />
        </span>
      )}
      {model.max_output_tokens === null ? null : (
        <span>
          {t('maxOutput')} <TokenCount count={model.max_output_tokens} />
        </span>
      )}
      <Modalities names={model.input_modalities} />
    </Group>
  );
}

export function LowestPrice({ model }: { readonly model: Model }) {
  const t = useTexts(modelTexts);
  const [lowest] = model.channels.toSorted((a, b) =>
    headlinePrice(a) < headlinePrice(b) ? -1 : 1,
  );
  if (lowest === undefined) return null;
  const { price, example } = lowest;
  const prices = Object.values(price.per_image ?? {});
  const answer = answerPrice(model.kind, price);
  return (
    <Group gap="xs" fz="sm">
      <Text span inherit c="dimmed">
        {t('from')}
      </Text>
      {price.per_image === null ? (
        <Text span inherit fw={600}>
          <ListedPrice of={price.input} />
          {answer === null ? null : (
            <>
              {' / '}
              <ListedPrice of={answer} />
            </>
          )}
        </Text>
      ) : (
        <Text span inherit fw={600}>
          <ListedPrice of={prices[0] ?? null} />
        </Text>
      )}
      <Text span inherit c="dimmed">
        {price.per_image === null ? t('per1m') : t('perImage')}
      </Text>
      {example ? <ExampleBadge /> : null}
    </Group>
  );
}

/** One dot per channel, in the color of its health. */
export function ChannelDots({ channels }: { readonly channels: readonly Channel[] }) {
  const t = useTexts(modelTexts);
  const nameOf = useChannelName();
  return (
    <Group gap="sm">
      {channels.map(({ channel, health }) => (
        <Tooltip key={channel} label={health === null ? t('quietHint') : t(health.status)}>
          <Group gap={6} fz="xs" wrap="nowrap">
            <Text
              span
              className={classes['dot']}
              c={health === null ? 'gray' : STATE_COLORS[health.status]}
              role="img"
              aria-label={health === null ? t('quiet') : t(health.status)}
            />
            {nameOf(channel)}
          </Group>
        </Tooltip>
      ))}
    </Group>
  );
}

export function CompareBox({ model, choice: { ids, isFull, onToggle } }: ModelCardProps) {
  const t = useTexts(modelTexts);
  const isChosen = ids.includes(model.id);
  return (
    <Checkbox
      size="xs"
      label={t('compare')}
      aria-label={t('compareAdd', { name: model.name })}
      checked={isChosen}
      disabled={isFull && !isChosen}
      onChange={() => onToggle(model.id)}
    />
  );
}
