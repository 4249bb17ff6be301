/** A button that copies a text and confirms it for a moment. */
import { Button, type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ComponentPropsWithoutRef } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('copy-button', {
  en: { copy: 'Copy', copied: 'Copied' },
  zh: { copy: '复制', copied: '已复制' },
});

export type CopyButtonProps = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & {
    readonly value: string;
    readonly label?: string;
  };

export function CopyButton({ value, label, ...look }: CopyButtonProps) {
  const t = useTexts(texts);
  const { copied, copy } = useClipboard();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button {...look} leftSection={<Icon size={16} />} onClick={() => copy(value)}>
      <span aria-live="polite">{copied ? t('copied') : (label ?? t('copy'))}</span>
    </Button>
  );
}
