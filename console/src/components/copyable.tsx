/** An ID, name or address that is copied with a click. */
import { Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { defineTexts, useTexts } from '../i18n/texts.ts';

const texts = defineTexts('copyable', {
  en: { copy: 'Copy', copied: 'Copied' },
  zh: { copy: '复制', copied: '已复制' },
});

/** The minimum target size for touch. */
const TARGET_PX = 24;

export type CopyableProps = {
  readonly value: string;
  /** Shown instead, such as the first and last characters. */
  readonly shown?: string;
};

export function Copyable({ value, shown = value }: CopyableProps) {
  const t = useTexts(texts);
  const clipboard = useClipboard();
  const state = clipboard.copied ? 'copied' : 'copy';
  return (
    <Tooltip label={`${t(state)} ${value}`}>
      <UnstyledButton mih={TARGET_PX} onClick={() => clipboard.copy(value)}>
        <VisuallyHidden>{`${t(state)} `}</VisuallyHidden>
        <Text span inherit ff="monospace" fz="sm">
          {shown}
        </Text>
      </UnstyledButton>
    </Tooltip>
  );
}
