/** Dialogs and side sheets with a labelled close button. */
import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('dialog', { en: { close: 'Close' }, zh: { close: '关闭' } });

/**
 * Overrides the role of the library's `<header>`, which would be a second banner landmark on the
 * page.
 */
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
