/** Applies the theme and translates the component library's own labels. */
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { colorSchemeManager, theme } from './theme.ts';
import { cssVariables } from './variables.ts';

const texts = defineTexts('theme', {
  en: { showPassword: 'Show or hide the text' },
  zh: { showPassword: '显示或隐藏内容' },
});

export type ThemedProps = { readonly styleNonce: () => string; readonly children: ReactNode };

export function Themed({ styleNonce, children }: ThemedProps) {
  const t = useTexts(texts);
  const translated = useMemo(() => {
    const visibilityToggleButtonProps = { 'aria-label': t('showPassword') };
    return mergeThemeOverrides(theme, {
      components: { PasswordInput: { defaultProps: { visibilityToggleButtonProps } } },
    });
  }, [t]);
  return (
    <MantineProvider
      theme={translated}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}
