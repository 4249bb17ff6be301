/** A model in the list: its icon, description, limits, lowest price, speed and health. */
import { Card, Checkbox, Group, Stack, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChannelState, type State } from '#catalogue/channel-state.tsx';
import { ListedPrice, Modalities, TokenCount } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { answerPrice, headlinePrice } from '#catalogue/price.ts';
import { useFormats } from '#i18n/formats.ts';
import { useLanguage, useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import { Speed, Uptime } from './channel-figures.tsx';
import { ModelFace } from './model-face.tsx';
import classes from './models.module.css';

export type Choice = {
  readonly ids: readonly string[];
  readonly onToggle: (id: string) => void;
  /** Whether the comparison has no room for another model. */
  readonly isFull: boolean;
};

export type ModelCardProps = { readonly model: Model; readonly choice: Choice };

export function ModelCard({ model, choice }: ModelCardProps) {
  const t = useTexts(modelTexts);
  const { health } = defaultChannel(model) ?? {};
  return (
    <Card component="article" className={classes['card'] ?? ''} aria-label={model.name}>
      <Stack gap="xs" h="100%">
        <Group gap="sm" wrap="nowrap">
          <ModelFace model={model} />
          <Stack gap={0} miw={0} flex={1}>
            <ModelLink model={model} />
            <Text variant="caption" truncate>
              {model.maker} · {model.id}
            </Text>
          </Stack>
          <Text component="div" size="xs">
            <ChannelState state={stateOf(model)} />
          </Text>
        </Group>
        <Description model={model} lines={2} />
        <Tags model={model} />
        <Stack gap={6} mt="auto">
          <LowestPrice model={model} />
          <Group justify="space-between" gap="xs" fz="xs" c="dimmed">
            <Group gap="sm">
              {model.context_length === null ? null : (
                <span>
                  {t('context')} <TokenCount count={model.context_length} />
                </span>
              )}
              {health?.tokens_per_second == null ? null : <Speed health={health} />}
              {health?.uptime_90d == null ? null : (
                <span>
                  {t('uptime')} <Uptime ratio={health.uptime_90d} />
                </span>
              )}
              <Modalities names={model.input_modalities.filter((name) => name !== 'text')} />
            </Group>
            <CompareBox model={model} choice={choice} />
          </Group>
        </Stack>
      </Stack>
    </Card>
  );
}

export const defaultChannel = ({ channels }: Model): Channel | undefined =>
  channels.find((channel) => channel.default);

/**
 * Returns the best health state among the model's channels. The states are those of the status
 * page.
 */
export const stateOf = ({ channels }: Model): State =>
  (['healthy', 'unknown', 'degraded'] as const).find((state) =>
    channels.some(({ health }) => health.status === state),
  ) ?? 'down';

export function ModelLink({ model }: { readonly model: Model }) {
  return (
    <Link to="/models/$id" params={{ id: model.id }} className={classes['name']}>
      {model.name}
    </Link>
  );
}

/** The description of a model in the person's language. */
export function Description({
  model,
  lines = 0,
}: {
  readonly model: Model;
  /** The maximum number of lines that are shown; 0 for no limit. */
  readonly lines?: number;
}) {
  const [language] = useLanguage();
  const text = language === 'zh' ? model.description_zh : model.description;
  if (text === null) return null;
  return (
    <Text
      size="sm"
      className={classes['description'] ?? ''}
      {...(lines === 0 ? {} : { lineClamp: lines })}
    >
      {text}
    </Text>
  );
}

export function Tags({ model: { tags } }: { readonly model: Model }) {
  if (tags.length === 0) return null;
  return (
    <div className={classes['chips']}>
      {tags.map((tag) => (
        <span key={tag} className={classes['tag']}>
          {tag}
        </span>
      ))}
    </div>
  );
}

export function LowestPrice({ model }: { readonly model: Model }) {
  const t = useTexts(modelTexts);
  const { list } = useFormats();
  const [lowest] = model.channels.toSorted((a, b) =>
    headlinePrice(a) < headlinePrice(b) ? -1 : 1,
  );
  if (lowest === undefined) return null;
  const { price, example } = lowest;
  const answer = answerPrice(model.kind, price);
  const isPerImage = price.per_image !== null;
  const notes = [isPerImage ? t('perImage') : t('per1m'), ...(example ? [t('exampleMark')] : [])];
  return (
    <Text component="div" size="sm">
      <Text span inherit c="dimmed">
        {t('from')}{' '}
      </Text>
      <ListedPrice of={formatExact(headlinePrice(lowest))} />
      {isPerImage || answer === null ? null : (
        <>
          {' / '}
          <ListedPrice of={answer} />
        </>
      )}{' '}
      <Tooltip label={t('exampleHint')} disabled={!example} multiline maw={280}>
        <Text span variant="caption">
          {list(notes)}
        </Text>
      </Tooltip>
    </Text>
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
