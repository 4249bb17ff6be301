/** What opens over the page: a dialog in its middle, a sheet at its side. Their close button has a name. */
import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { defineTexts, useTexts } from '../i18n/texts.ts';

const texts = defineTexts('dialog', { en: { close: 'Close' }, zh: { close: '关闭' } });

/** The library's head of a dialog is an HTML header, which would be a second banner of the page. */
const NO_BANNER = { header: { role: 'presentation' } } as const;
const TITLE = { title: { fontWeight: 600 } } as const;

export function Dialog(props: ModalProps) {
  const t = useTexts(texts);
  return (
    <Modal
      attributes={NO_BANNER}
      styles={TITLE}
      closeButtonProps={{ 'aria-label': t('close') }}
      {...props}
    />
  );
}

export function Sheet(props: DrawerProps) {
  const t = useTexts(texts);
  return (
    <Drawer
      position="right"
      size="lg"
      attributes={NO_BANNER}
      styles={TITLE}
      closeButtonProps={{ 'aria-label': t('close') }}
      {...props}
    />
  );
}
