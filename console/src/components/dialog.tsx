/** Dialogs and side sheets with a labelled close button. */
import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { DiscardQuestion } from './forms/discard-question.tsx';
import { UnsavedScope, useUnsavedScope } from './forms/unsaved.ts';

const texts = defineTexts('dialog', { en: { close: 'Close' }, zh: { close: '关闭' } });

/**
 * Overrides the role of the library's `<header>`, which would be a second banner landmark on the
 * page.
 */
const NO_BANNER = { header: { role: 'presentation' } } as const;
const TITLE = { title: { fontWeight: 600 } } as const;

/** A dialog. Before it closes, it asks for confirmation if one of its forms has unsaved text. */
export function Dialog({ onClose, children, opened, ...props }: ModalProps) {
  const t = useTexts(texts);
  const forms = useUnsavedScope();
  const [isAsking, setAsking] = useState(false);
  const focused = useRef<HTMLElement | null>(null);
  // The library notes which element had the focus, to give it back, only when `opened` changes. A
  // dialog that is first rendered when it opens must therefore change it, too.
  const [isRendered, setRendered] = useState(false);
  useEffect(() => setRendered(true), []);
  return (
    <>
      <Modal
        attributes={NO_BANNER}
        styles={TITLE}
        closeButtonProps={{ 'aria-label': t('close') }}
        closeOnEscape={!isAsking}
        {...props}
        opened={opened && isRendered}
        onFocus={({ target }) => {
          focused.current = target;
        }}
        onClose={() => (forms.any ? setAsking(true) : onClose())}
      >
        <UnsavedScope value={forms}>{children}</UnsavedScope>
      </Modal>
      <DiscardQuestion
        opened={isAsking}
        onKeep={() => setAsking(false)}
        onClosed={() => focused.current?.focus()}
        onDiscard={() => {
          setAsking(false);
          forms.forget();
          onClose();
        }}
      />
    </>
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
