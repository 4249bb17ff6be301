/** Commands that are available on every page: theme, language, sign-out. */
import { useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconKey,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { mayAs, useSignedIn } from '#api/session.ts';
import { useSignOut } from '#api/sign-out.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '#i18n/languages.ts';
import { useTexts } from '#i18n/texts.ts';
import { useLanguageChoice } from '#shell/header/use-language-choice.ts';
import type { Command } from './command.ts';
import { paletteTexts } from './palette-texts.ts';

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const;

export function useActionCommands(): readonly Command[] {
  return [
    ...useKeyCommands(),
    ...useSchemeCommands(),
    ...useLanguageCommands(),
    ...useLeavingCommands(),
  ];
}

function useKeyCommands(): readonly Command[] {
  const t = useTexts(paletteTexts);
  const navigate = useNavigate();
  if (!mayAs(useSignedIn().role, 'member')) return [];
  return [
    {
      id: 'create-key',
      group: 'actions',
      label: t('createKey'),
      icon: IconKey,
      keywords: ['new key'],
      run: () => void navigate({ to: '/keys', search: { new: true } }),
    },
  ];
}

function useSchemeCommands(): readonly Command[] {
  const t = useTexts(paletteTexts);
  const { setColorScheme } = useMantineColorScheme();
  return SCHEMES.map(({ scheme, icon }) => ({
    id: `scheme:${scheme}`,
    group: 'actions',
    label: t(scheme),
    icon,
    keywords: [scheme],
    run: () => setColorScheme(scheme),
  }));
}

function useLanguageCommands(): readonly Command[] {
  const [shown, setLanguage] = useLanguageChoice();
  return LANGUAGES.filter((language) => language !== shown).map((language) => ({
    id: `language:${language}`,
    group: 'actions',
    label: LANGUAGE_NAMES[language],
    icon: IconLanguage,
    keywords: ['language', '语言'],
    run: () => setLanguage(language),
  }));
}

function useLeavingCommands(): readonly Command[] {
  const t = useTexts(paletteTexts);
  const { signOut } = useSignOut();
  return [
    {
      id: 'sign-out',
      group: 'actions',
      label: t('signOut'),
      icon: IconLogout,
      keywords: ['sign-out'],
      run: signOut,
    },
  ];
}
