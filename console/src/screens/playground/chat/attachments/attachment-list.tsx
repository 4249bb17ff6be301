/** The images and files of a message. */
import { CloseButton, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import classes from '#screens/playground/chat/chat.module.css';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';
import type { Attachment } from './attachment.ts';

export type AttachmentListProps = {
  readonly attachments: readonly Attachment[];
  /** Removes an attachment. Absent for a sent message, whose attachments cannot be removed. */
  readonly onRemove?: (id: string) => void;
};

export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  const t = useTexts(chatTexts);
  const formats = useFormats();
  if (attachments.length === 0) return null;
  return (
    <div className={classes['attachments']}>
      {attachments.map(({ id, kind, name, bytes, dataUrl }) => (
        <div key={id} className={classes['attachment']}>
          {kind === 'image' ? (
            <img className={classes['thumbnail']} src={dataUrl} alt={name} />
          ) : (
            <IconFileText size={20} aria-hidden />
          )}
          <div style={{ minWidth: 0 }}>
            <Text size="xs" truncate title={name}>
              {name}
            </Text>
            <Text variant="caption">{formats.compact(bytes)}B</Text>
          </div>
          {onRemove === undefined ? null : (
            <CloseButton
              size="sm"
              aria-label={t('removeFile', { name })}
              onClick={() => onRemove(id)}
            />
          )}
        </div>
      ))}
    </div>
  );
}
