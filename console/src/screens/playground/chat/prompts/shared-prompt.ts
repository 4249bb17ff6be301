/** Copies a link to the current prompt, and opens the prompt of a link. */
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTexts } from '#i18n/texts.ts';
import type { ChatStore } from '#screens/playground/chat/chat-store.ts';
import { fragmentOf, isPromptFragment, promptIn, promptOfFragment } from './prompt.ts';
import { promptsTexts } from './prompts-texts.ts';
import { showUndo } from './undo-notice.tsx';

/** Returns a function that copies a link to the prompt of the first column. */
export function useShare(store: ChatStore): () => Promise<void> {
  const t = useTexts(promptsTexts);
  return async () => {
    const prompt = promptIn(store.state());
    const fragment = prompt === null ? null : fragmentOf(prompt);
    const { origin, pathname } = globalThis.location;
    const message =
      fragment === null
        ? ('linkTooLong' as const)
        : await navigator.clipboard.writeText(`${origin}${pathname}#${fragment}`).then(
            () => 'linkCopied' as const,
            () => 'linkRefused' as const,
          );
    notifications.show({ message: t(message), withBorder: true });
  };
}

/** Shows the prompt of an opened link and removes it from the URL. Nothing is sent. */
export function useSharedPrompt(store: ChatStore): void {
  const t = useTexts(promptsTexts);
  const navigate = useNavigate();
  const fragment = useLocation({ select: ({ hash }) => hash });
  useEffect(() => {
    if (!isPromptFragment(fragment)) return;
    const prompt = promptOfFragment(fragment);
    if (prompt === null) notifications.show({ message: t('damaged'), color: 'red' });
    else showUndo(t('opened'), store.load(prompt));
    void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [store, fragment, navigate, t]);
}
