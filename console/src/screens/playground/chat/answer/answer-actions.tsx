/** The buttons below an answer: copy, regenerate and others. */
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconCode, IconListDetails, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Answer } from '#chat/answer.ts';
import { IconLink } from '#components/button-link.tsx';
import { CopyIcon } from '#components/copy-icon.tsx';
import { useTexts } from '#i18n/texts.ts';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';

export type AnswerActionsProps = {
  readonly answer: Answer;
  readonly onRegenerate: () => void;
  readonly onShowCode: () => void;
};

export function AnswerActions({ answer, onRegenerate, onShowCode }: AnswerActionsProps) {
  const t = useTexts(chatTexts);
  const { text, requestId } = answer;
  return (
    <Group gap={2} wrap="nowrap">
      {text === '' ? null : <CopyIcon value={text} label={t('copy')} />}
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
