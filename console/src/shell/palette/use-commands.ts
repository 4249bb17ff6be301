/** The commands of who is signed in: the pages they may open, and what they can do from anywhere. */
import { useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { mayAs, useSignedIn } from '../../api/session.ts';
import { useSignOut } from '../../api/sign-out.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../i18n/languages.ts';
import { useLanguage, useTexts } from '../../i18n/texts.ts';
import { NAVIGATION, type NavigationItem, navigationTexts } from '../navigation.ts';
import type { Command } from './command.ts';
import { paletteTexts } from './palette-texts.ts';

export function useCommands(): readonly Command[] {
  return [...usePageCommands(), ...useActionCommands()];
}

function usePageCommands(): readonly Command[] {
  const t = useTexts(navigationTexts);
  const navigate = useNavigate();
  const { role } = useSignedIn();
  return NAVIGATION.flatMap(({ items }) => items)
    .filter(({ least }) => mayAs(role, least))
    .map((item) => ({
      id: `page:${item.to}`,
      group: 'pages',
      label: t(item.name),
      icon: item.icon,
      keywords: namesOf(item),
      run: () => void navigate({ to: item.to }),
    }));
}

/** In every language, so that a page is found by the name it has elsewhere. */
const namesOf = ({ name }: NavigationItem): readonly string[] => [
  navigationTexts.en[name],
  navigationTexts.zh[name],
];

const SCHEMES = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const;

function useActionCommands(): readonly Command[] {
  const t = useTexts(paletteTexts);
  const [language, setLanguage] = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const { signOut } = useSignOut();
  return [
    ...SCHEMES.map(
      ({ scheme, icon }): Command => ({
        id: `scheme:${scheme}`,
        group: 'actions',
        label: t(scheme),
        icon,
        keywords: [paletteTexts.en[scheme], paletteTexts.zh[scheme]],
        run: () => setColorScheme(scheme),
      }),
    ),
    ...LANGUAGES.filter((each) => each !== language).map(
      (each): Command => ({
        id: `language:${each}`,
        group: 'actions',
        label: LANGUAGE_NAMES[each],
        icon: IconLanguage,
        keywords: ['language', '语言'],
        run: () => setLanguage(each),
      }),
    ),
    {
      id: 'sign-out',
      group: 'actions',
      label: t('signOut'),
      icon: IconLogout,
      keywords: [paletteTexts.en.signOut, paletteTexts.zh.signOut],
      run: signOut,
    },
  ];
}
