/** The header of every screen: menu button, name, and quick access. */
import { Burger, Group } from '@mantine/core';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { PaletteOpener } from '#shell/palette/palette-opener.tsx';
import { Balance } from './balance.tsx';
import { Brand } from './brand.tsx';
import { PersonMenu } from './person-menu.tsx';

const texts = defineTexts('app-header', {
  en: { openMenu: 'Open menu', closeMenu: 'Close menu' },
  zh: { openMenu: '打开菜单', closeMenu: '收起菜单' },
});

export type AppHeaderProps = {
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  /**
   * Whether the API serves the person; false until a required two-factor authentication is set up.
   */
  readonly isReady: boolean;
};

export function AppHeader({ isMenuOpen, onMenu, isReady }: AppHeaderProps) {
  const t = useTexts(texts);
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Burger
          opened={isMenuOpen}
          onClick={onMenu}
          hiddenFrom="md"
          size="sm"
          aria-label={t(isMenuOpen ? 'closeMenu' : 'openMenu')}
          aria-expanded={isMenuOpen}
          aria-controls="menu"
        />
        <Brand short />
      </Group>
      <Group gap="xs" wrap="nowrap">
        {isReady ? (
          <>
            <PaletteOpener />
            <Balance />
          </>
        ) : null}
        <PersonMenu />
      </Group>
    </Group>
  );
}
