/** Short notifications after an action, with a labeled close button. */
import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('toasts', { en: { close: 'Close' }, zh: { close: '关闭' } });

export function Toasts() {
  const t = useTexts(texts);
  const closeButtonProps = { 'aria-label': t('close') };
  return (
    <MantineThemeProvider
      inherit
      theme={{ components: { Notification: { defaultProps: { closeButtonProps } } } }}
    >
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}
