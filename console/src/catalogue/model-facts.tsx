/**
 * Components that show properties of a model, such as its modalities. The list of models, the page
 * of one model and the comparison of models share them.
 */
import { Group, Text, Tooltip } from '@mantine/core';
import {
  IconFile,
  IconLetterT,
  IconMusic,
  IconPhoto,
  IconVector,
  IconVideo,
} from '@tabler/icons-react';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { modelTexts } from './model-texts.ts';
import { CHANNELS, type ChannelName } from './models.ts';

const MODALITIES = {
  text: IconLetterT,
  image: IconPhoto,
  file: IconFile,
  audio: IconMusic,
  video: IconVideo,
  embeddings: IconVector,
} as const;
type Modality = keyof typeof MODALITIES;
const isModality = (name: string): name is Modality => name in MODALITIES;

/** Returns a function that translates the name of a modality; an unknown name stays as it is. */
export function useModalityName(): (name: string) => string {
  const t = useTexts(modelTexts);
  return (name) => (isModality(name) ? t(name) : name);
}

export function Modalities({ names }: { readonly names: readonly string[] }) {
  const nameOf = useModalityName();
  return (
    <Group gap={4} wrap="nowrap">
      {names.map((name) => {
        const Icon = isModality(name) ? MODALITIES[name] : IconFile;
        return (
          <Tooltip key={name} label={nameOf(name)}>
            <Text span c="dimmed" lh={1} role="img" aria-label={nameOf(name)}>
              <Icon size={16} aria-hidden />
            </Text>
          </Tooltip>
        );
      })}
    </Group>
  );
}

/** A token count in short form, with the exact count on hover. */
export function TokenCount({ count }: { readonly count: number | null }) {
  const t = useTexts(modelTexts);
  const formats = useFormats();
  if (count === null) return <>–</>;
  return (
    <Tooltip label={t('tokens', { count: formats.count(count) })}>
      <span>{formats.compact(count)}</span>
    </Tooltip>
  );
}

/** Shows a configured price with all its digits; a dash if there is no such price. */
export function ListedPrice({ of: amount }: { readonly of: string | null }) {
  return amount === null ? <>–</> : <Money amount={amount} currency="USD" exact />;
}

export function ExamplePrice() {
  const t = useTexts(modelTexts);
  return (
    <Tooltip label={t('exampleHint')} multiline maw={280}>
      <Text span variant="caption">
        {t('example')}
      </Text>
    </Tooltip>
  );
}

/** Returns a function that translates the name of a channel. */
export function useChannelName(): (channel: string) => string {
  const t = useTexts(modelTexts);
  return (channel) => (isChannel(channel) ? t(channel) : channel);
}

const isChannel = (name: string): name is ChannelName =>
  CHANNELS.some((channel) => channel === name);
