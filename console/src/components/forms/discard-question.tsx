/** Asks for confirmation before unsaved text is discarded. */
import { Button, Group, Modal, Text } from '@mantine/core';
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

export type DiscardQuestionProps = {
  readonly opened: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
  /** Called when the question has closed. */
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
      // Escape is handled in `onKeyDown` instead, because the dialog below receives the same key
      // press and would open the question again.
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
