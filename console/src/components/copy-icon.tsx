/** An icon button that copies a text. Its tooltip confirms that the text was copied. */
import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('copy-icon', { en: { copied: 'Copied' }, zh: { copied: '已复制' } });

type CopyIconProps = ActionIconProps & { readonly value: string; readonly label: string };

export function CopyIcon({ value, label, ...look }: CopyIconProps) {
  const t = useTexts(texts);
  const clipboard = useClipboard();
  const shown = clipboard.copied ? t('copied') : label;
  const Icon = clipboard.copied ? IconCheck : IconCopy;
  return (
    <Tooltip label={shown}>
      <ActionIcon
        variant="subtle"
        color="gray"
        {...look}
        aria-label={shown}
        onClick={() => clipboard.copy(value)}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
