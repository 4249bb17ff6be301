/** An id, a name or an address that a click copies. */
import { Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { defineTexts, useTexts } from '../i18n/texts.ts';

const texts = defineTexts('copyable', {
  en: { copy: 'Copy {{value}}', copied: 'Copied' },
  zh: { copy: '复制 {{value}}', copied: '已复制' },
});

export type CopyableProps = {
  readonly value: string;
  /** What is shown in its place, such as the first and last characters. */
  readonly shown?: string;
};

export function Copyable({ value, shown = value }: CopyableProps) {
  const t = useTexts(texts);
  const clipboard = useClipboard();
  const label = clipboard.copied ? t('copied') : t('copy', { value });
  return (
    <Tooltip label={label}>
      <UnstyledButton onClick={() => clipboard.copy(value)} aria-label={label}>
        <Text span inherit ff="monospace" fz="sm">
          {shown}
        </Text>
      </UnstyledButton>
    </Tooltip>
  );
}
