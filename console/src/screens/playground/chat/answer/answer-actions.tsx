/** The buttons below an answer: copy, regenerate and others. */
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCode, IconCopy, IconListDetails, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Answer } from '#chat/answer.ts';
import { IconLink } from '#components/button-link.tsx';
import { useTexts } from '#i18n/texts.ts';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';

export type AnswerActionsProps = {
  readonly answer: Answer;
  readonly onRegenerate: () => void;
  readonly onShowCode: () => void;
};

export function AnswerActions({ answer, onRegenerate, onShowCode }: AnswerActionsProps) {
  const t = useTexts(chatTexts);
  const clipboard = useClipboard();
  const { text, requestId } = answer;
  return (
    <Group gap={2} wrap="nowrap">
      {text === '' ? null : (
        <Action
          label={clipboard.copied ? t('copied') : t('copy')}
          onClick={() => clipboard.copy(text)}
        >
          {clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </Action>
      )}
      <Action label={t('regenerate')} onClick={onRegenerate}>
        <IconRefresh size={16} />
      </Action>
      <Action label={t('code')} onClick={onShowCode}>
        <IconCode size={16} />
      </Action>
      {requestId === null ? null : <LogLink requestId={requestId} />}
    </Group>
  );
}

type ActionProps = {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
};

export const Action = ({ label, onClick, children }: ActionProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);

export function LogLink({ requestId }: { readonly requestId: string }) {
  const t = useTexts(chatTexts);
  return (
    <Tooltip label={t('log')}>
      <IconLink
        to="/requests"
        search={{ id: requestId }}
        variant="subtle"
        color="gray"
        aria-label={t('log')}
      >
        <IconListDetails size={16} />
      </IconLink>
    </Tooltip>
  );
}
