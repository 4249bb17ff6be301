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

/**
 * The `ref` of a dialog's content. If the first field loads only after the dialog has opened, the
 * focus moves to it from the close button.
 */
function focusLateField(content: HTMLElement | null): () => void {
  const fieldIn = () => content?.querySelector<HTMLElement>('[data-autofocus]');
  const observer = new MutationObserver(() => {
    const field = fieldIn();
    if (field == null) return;
    observer.disconnect();
    const header = document.activeElement?.closest('header');
    if (header?.nextSibling?.contains(field)) field.focus({ preventScroll: true });
  });
  // The library gives the focus to a field that is already there.
  if (content !== null && fieldIn() === null) {
    observer.observe(content, { childList: true, subtree: true });
  }
  return () => observer.disconnect();
}

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
        <UnsavedScope value={forms}>
          <div ref={focusLateField} style={{ display: 'contents' }}>
            {children}
          </div>
        </UnsavedScope>
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
