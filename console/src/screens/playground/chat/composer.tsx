/** The message field with its attachments. */
import {
  ActionIcon,
  Alert,
  Button,
  FileButton,
  Group,
  Text,
  Textarea,
  Tooltip,
} from '@mantine/core';
import { IconPaperclip, IconPlayerStopFilled, IconSend } from '@tabler/icons-react';
import { type DragEvent, memo, useRef, useState } from 'react';
import type { Model } from '#catalogue/models.ts';
import { onSendPress } from '#components/forms/send-key.ts';
import { useTexts } from '#i18n/texts.ts';
import { acceptFor } from './attachments/attachment.ts';
import { AttachmentList } from './attachments/attachment-list.tsx';
import { useAttaching } from './attachments/use-attaching.ts';
import classes from './chat.module.css';
import type { ChatState, ChatStore } from './chat-store.ts';
import { chatTexts } from './chat-texts.ts';

export type ComposerProps = {
  readonly store: ChatStore;
  readonly draft: ChatState['draft'];
  readonly models: readonly Model[];
  /** The models that receive the message. */
  readonly targetModels: readonly Model[];
  /** The number of columns, each of which is billed. */
  readonly columns: number;
  readonly isRunning: boolean;
  /**
   * Whether nothing can be sent now, because all columns are answering or wait for tool results.
   */
  readonly isBlocked: boolean;
};

export const Composer = memo(function Composer(props: ComposerProps) {
  const { store, draft, models, targetModels, columns, isRunning, isBlocked } = props;
  const t = useTexts(chatTexts);
  const attaching = useAttaching(store, targetModels);
  const [isOver, setOver] = useState(false);
  const isEmpty = draft.text.trim() === '' && draft.attachments.length === 0;
  const send = (): void => {
    if (isBlocked || attaching.misfit !== null) return;
    attaching.forgetProblems();
    store.send(models);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void attaching.add([...event.dataTransfer.files]);
  };
  return (
    <form
      className={classes['composer']}
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {attaching.problems.map((problem) => (
        <Alert key={problem} color="red" variant="light" role="alert" py={6}>
          {problem}
        </Alert>
      ))}
      {attaching.misfit === null ? null : (
        <Alert color="yellow" variant="light" role="status" py={6}>
          {attaching.misfit}
        </Alert>
      )}
      <AttachmentList attachments={draft.attachments} onRemove={attaching.remove} />
      <MessageField store={store} text={draft.text} onSend={send} onFiles={attaching.add} />
      <Group justify="space-between" wrap="nowrap">
        <AttachButton modalities={attaching.modalities} onFiles={attaching.add} />
        <Group gap="sm" wrap="nowrap">
          <Text variant="caption" {...(columns > 1 ? {} : { visibleFrom: 'sm' })}>
            {columns > 1 ? t('billed', { count: columns }) : t('sendHint')}
          </Text>
          {isRunning ? (
            // The different React keys make Send and Stop separate elements, so that a press that
            // began on Send cannot end on Stop.
            <Button
              key="stop"
              variant="default"
              leftSection={<IconPlayerStopFilled size={16} aria-hidden />}
              onClick={() => store.stop()}
            >
              {t('stop')}
            </Button>
          ) : (
            <Button
              key="send"
              type="submit"
              leftSection={<IconSend size={16} aria-hidden />}
              disabled={isEmpty || isBlocked || attaching.misfit !== null}
            >
              {t('send')}
            </Button>
          )}
        </Group>
      </Group>
    </form>
  );
});

type MessageFieldProps = {
  readonly store: ChatStore;
  readonly text: string;
  readonly onSend: () => void;
  readonly onFiles: (files: readonly File[]) => Promise<void>;
};

function MessageField({ store, text, onSend, onFiles }: MessageFieldProps) {
  const t = useTexts(chatTexts);
  return (
    <Textarea
      aria-label={t('message')}
      placeholder={t('placeholder')}
      autosize
      minRows={2}
      maxRows={10}
      value={text}
      classNames={{ input: classes['composerInput'] ?? '' }}
      onChange={({ currentTarget: { value } }) =>
        store.change((state) => ({ ...state, draft: { ...state.draft, text: value } }))
      }
      onPaste={(event) => {
        const files = [...event.clipboardData.files];
        if (files.length === 0) return;
        event.preventDefault();
        void onFiles(files);
      }}
      enterKeyHint="send"
      onKeyDown={onSendPress(onSend)}
    />
  );
}

type AttachButtonProps = {
  readonly modalities: readonly string[];
  readonly onFiles: (files: readonly File[]) => Promise<void>;
};

function AttachButton({ modalities, onFiles }: AttachButtonProps) {
  const t = useTexts(chatTexts);
  const reset = useRef<() => void>(null);
  const accept = acceptFor(modalities);
  const label = accept === '' ? t('attachNone') : t('attach');
  return (
    <FileButton
      multiple
      accept={accept}
      resetRef={reset}
      onChange={(files) => {
        void onFiles(files);
        // Without this reset, the browser would not report a file that is removed and chosen again.
        reset.current?.();
      }}
    >
      {({ onClick }) => (
        <Tooltip label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={label}
            // The button stays focusable while disabled, so that its tooltip can explain why.
            {...(accept === '' ? { 'aria-disabled': true, 'data-disabled': true } : { onClick })}
          >
            <IconPaperclip size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  );
}
