/** The buttons of the whole playground. On a phone they are icons. */
import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAdjustmentsHorizontal,
  IconBookmark,
  IconColumns,
  type IconProps,
  IconShare2,
  IconTrash,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Model } from '#catalogue/models.ts';
import { useTexts } from '#i18n/texts.ts';
import classes from './chat.module.css';
import { type ChatState, type ChatStore, MAX_THREADS } from './chat-store.ts';
import { chatTexts } from './chat-texts.ts';
import { PromptsDialog } from './prompts/prompts-dialog.tsx';
import { promptsTexts } from './prompts/prompts-texts.ts';
import { useShare } from './prompts/shared-prompt.ts';
import { showUndo } from './prompts/undo-notice.tsx';

export type ChatActionsProps = {
  readonly store: ChatStore;
  readonly state: ChatState;
  readonly models: readonly Model[];
  readonly onSettings: () => void;
};

export function ChatActions({ store, state, models, onSettings }: ChatActionsProps) {
  const t = useTexts(chatTexts);
  const tPrompts = useTexts(promptsTexts);
  const share = useShare(store);
  const [isLibraryOpen, library] = useDisclosure();
  const { threads } = state;
  const isEmpty = threads.every(({ messages }) => messages.length === 0);
  return (
    <>
      <HeadAction
        icon={IconAdjustmentsHorizontal}
        label={t('settings')}
        hiddenFrom="lg"
        onClick={onSettings}
      />
      <HeadAction icon={IconBookmark} label={tPrompts('prompts')} onClick={library.open} />
      <HeadAction
        icon={IconShare2}
        label={tPrompts('share')}
        hint={tPrompts('shareHint')}
        onClick={() => void share()}
      />
      <HeadAction
        icon={IconColumns}
        label={t('compare')}
        hint={t('compareHint')}
        disabled={threads.length === 0 || threads.length >= MAX_THREADS}
        onClick={() => store.compare(models)}
      />
      <HeadAction
        icon={IconTrash}
        label={t('clear')}
        disabled={isEmpty}
        onClick={() => showUndo(t('cleared'), store.clear())}
      />
      <PromptsDialog store={store} isOpen={isLibraryOpen} onClose={library.close} />
    </>
  );
}

type HeadActionProps = {
  readonly icon: ComponentType<IconProps>;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly hiddenFrom?: 'lg';
  readonly onClick: () => void;
};

function HeadAction({ icon: Icon, label, hint = label, ...button }: HeadActionProps) {
  return (
    <Tooltip label={hint}>
      <Button
        variant="default"
        classNames={{ root: classes['headAction'] ?? '', label: classes['headLabel'] ?? '' }}
        leftSection={<Icon size={16} aria-hidden />}
        aria-label={label}
        {...button}
      >
        {label}
      </Button>
    </Tooltip>
  );
}
