/**
 * The button that switches between light, dark and system theme. Each press selects the next theme.
 */
import { ActionIcon, type MantineColorScheme, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('scheme-switch', {
  en: { light: 'Light theme', dark: 'Dark theme', auto: 'System theme' },
  zh: { light: '浅色主题', dark: '深色主题', auto: '跟随系统主题' },
});
const NEXT = { light: 'dark', dark: 'auto', auto: 'light' } as const satisfies Record<
  MantineColorScheme,
  MantineColorScheme
>;
const ICONS = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

export function SchemeSwitch() {
  const t = useTexts(texts);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = ICONS[colorScheme];
  return (
    <Tooltip label={t(colorScheme)}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t(colorScheme)}
        onClick={() => setColorScheme(NEXT[colorScheme])}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
