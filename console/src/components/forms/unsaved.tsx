/** Knows which forms hold typed text that is not saved, and asks before it is discarded. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { createContext, useContext, useEffect, useId, useMemo } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('unsaved', {
  en: {
    title: 'Discard changes?',
    text: 'What you entered has not been saved.',
    keep: 'Keep editing',
    discard: 'Discard changes',
  },
  zh: {
    title: '放弃修改？',
    text: '您输入的内容尚未保存。',
    keep: '继续编辑',
    discard: '放弃修改',
  },
});

/** The unsaved forms of a page, or of one dialog of it. */
class UnsavedForms {
  readonly #forms = new Set<string>();
  readonly #outer: UnsavedForms | null;

  constructor(outer: UnsavedForms | null) {
    this.#outer = outer;
  }

  get any(): boolean {
    return this.#forms.size > 0;
  }

  add(form: string): void {
    this.#forms.add(form);
    this.#outer?.add(form);
  }

  remove(form: string): void {
    this.#forms.delete(form);
    this.#outer?.remove(form);
  }

  /** Forgets all forms, so that closing or leaving does not ask again. */
  forget(): void {
    for (const form of this.#forms) this.remove(form);
  }
}

const onPage = new UnsavedForms(null);
const Scope = createContext(onPage);
export const UnsavedScope = Scope.Provider;

/** Whether a form of the page holds typed text that is not saved. */
export const hasUnsaved = (): boolean => onPage.any;
export const forgetUnsaved = (): void => onPage.forget();

/** The forms of the dialog around the component, or else of the page. */
export const useUnsavedForms = (): UnsavedForms => useContext(Scope);

/** Creates the scope of a dialog. */
export function useUnsavedScope(): UnsavedForms {
  const outer = useContext(Scope);
  return useMemo(() => new UnsavedForms(outer), [outer]);
}

/** Reports a form as unsaved. Returns a function that reports it as saved at once. */
export function useUnsaved(isUnsaved: boolean): () => void {
  const forms = useContext(Scope);
  const form = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    forms.add(form);
    return () => forms.remove(form);
  }, [isUnsaved, forms, form]);
  return () => forms.remove(form);
}

export type DiscardQuestionProps = {
  readonly opened: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
  /** Called when the question is gone. */
  readonly onClosed?: () => void;
};

export function DiscardQuestion({ opened, onKeep, onDiscard, onClosed }: DiscardQuestionProps) {
  const t = useTexts(texts);
  return (
    <Modal
      opened={opened}
      onClose={onKeep}
      title={t('title')}
      size="sm"
      withCloseButton={false}
      // The dialog below hears the same press of Escape, and would open the question again.
      closeOnEscape={false}
      onKeyDown={({ key }) => (key === 'Escape' ? onKeep() : undefined)}
      {...(onClosed === undefined ? {} : { returnFocus: false, onExitTransitionEnd: onClosed })}
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <Text size="sm">{t('text')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onKeep} data-autofocus>
          {t('keep')}
        </Button>
        <Button color="red.9" onClick={onDiscard}>
          {t('discard')}
        </Button>
      </Group>
    </Modal>
  );
}
