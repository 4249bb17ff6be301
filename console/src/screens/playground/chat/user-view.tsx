/** Shows a sent message, with a button to edit it. */
import { Button, Group, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { Model } from '#catalogue/models.ts';
import { CopyIcon } from '#components/copy-icon.tsx';
import { onSendPress } from '#components/forms/send-key.ts';
import { useTexts } from '#i18n/texts.ts';
import { Action } from './answer/answer-actions.tsx';
import { AttachmentList } from './attachments/attachment-list.tsx';
import classes from './chat.module.css';
import type { ChatStore } from './chat-store.ts';
import { chatTexts } from './chat-texts.ts';
import type { UserMessage } from './thread.ts';

export type UserViewProps = {
  readonly message: UserMessage;
  readonly store: ChatStore;
  readonly models: readonly Model[];
};

export const UserView = memo(function UserView({ message, store, models }: UserViewProps) {
  const t = useTexts(chatTexts);
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <EditForm
        text={message.text}
        onCancel={() => setEditing(false)}
        onSave={(text) => {
          setEditing(false);
          store.edit(message.id, text, models);
        }}
      />
    );
  }
  return (
    <div className={classes['user']}>
      <AttachmentList attachments={message.attachments} />
      {message.text === '' ? null : <div className={classes['userText']}>{message.text}</div>}
      <Group gap={2}>
        <CopyIcon value={message.text} label={t('copy')} />
        <Action label={t('edit')} onClick={() => setEditing(true)}>
          <IconPencil size={16} />
        </Action>
      </Group>
    </div>
  );
});

type EditFormProps = {
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
};

function EditForm({ text: before, onSave, onCancel }: EditFormProps) {
  const t = useTexts(chatTexts);
  const [text, setText] = useState(before);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text);
      }}
    >
      <Textarea
        aria-label={t('message')}
        value={text}
        autosize
        minRows={2}
        maxRows={12}
        data-autofocus
        autoFocus
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          onSendPress(() => onSave(text))(event);
        }}
      />
      <Group gap="xs" mt="xs" justify="flex-end">
        <Button variant="default" size="xs" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" size="xs" disabled={text.trim() === ''}>
          {t('save')}
        </Button>
      </Group>
    </form>
  );
}
