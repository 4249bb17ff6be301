/** A notice that the conversations were changed, with a button that undoes the change. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTexts } from '#i18n/texts.ts';
import { promptsTexts } from './prompts-texts.ts';

export function showUndo(message: string, onUndo: () => void): void {
  notifications.show({
    message: <Undo message={message} onUndo={onUndo} />,
    withBorder: true,
    // The other notices are at the bottom right, where the button "Send" is.
    position: 'top-center',
  });
}

function Undo({ message, onUndo }: { readonly message: string; readonly onUndo: () => void }) {
  const t = useTexts(promptsTexts);
  return (
    <>
      <span>{message}</span>{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          notifications.clean();
          onUndo();
        }}
      >
        {t('undo')}
      </Button>
    </>
  );
}
