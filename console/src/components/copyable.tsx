/** An ID, a name or an address that is copied by a click. */
import { Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('copyable', {
  en: { copy: 'Copy', copied: 'Copied' },
  zh: { copy: '复制', copied: '已复制' },
});

/** The minimum size of a touch target. */
const TARGET_PX = 24;

/**
 * The number of shown characters, enough to distinguish two IDs. The tooltip shows all of the ID.
 */
const SHORT_CHARS = 14;

export const shortId = (id: string): string =>
  id.length <= SHORT_CHARS + 5 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;

export type CopyableProps = {
  readonly value: string;
  /** The text shown instead of the value, such as its first and last characters. */
  readonly shown?: string;
};

export function Copyable({ value, shown = value }: CopyableProps) {
  const t = useTexts(texts);
  const clipboard = useClipboard();
  const state = clipboard.copied ? 'copied' : 'copy';
  return (
    // The tooltip shows the whole value only if the value is shortened.
    <Tooltip label={shown.length < value.length ? `${t(state)} ${value}` : t(state)}>
      <UnstyledButton mih={TARGET_PX} onClick={() => clipboard.copy(value)}>
        <VisuallyHidden>{`${t(state)} `}</VisuallyHidden>
        <Text span inherit ff="monospace" fz="sm">
          {shown}
        </Text>
      </UnstyledButton>
    </Tooltip>
  );
}
