/**
 * The language and theme settings. A signed-in person finds them in the menu with their name, a
 * visitor in a separate menu.
 */
import {
  ActionIcon,
  type MantineColorScheme,
  Menu,
  Tooltip,
  useMantineColorScheme,
} from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { LANGUAGE_NAMES, LANGUAGES } from '#i18n/languages.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useLanguageChoice } from './use-language-choice.ts';

const texts = defineTexts('display-menu', {
  en: {
    label: 'Language and theme',
    language: 'Language',
    theme: 'Theme',
    auto: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  zh: {
    label: '语言与主题',
    language: '语言',
    theme: '主题',
    auto: '跟随系统',
    light: '浅色',
    dark: '深色',
  },
});
const SCHEMES: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];

/** Settings menu for visitors. Signed-in people find these settings in the menu with their name. */
export function DisplayMenu() {
  const t = useTexts(texts);
  return (
    <Menu position="bottom-end" width={200} withinPortal={false}>
      <Menu.Target>
        <Tooltip label={t('label')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('label')}>
            <IconWorld size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <DisplayItems />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The menu items for language and theme, without the menu around them. */
export function DisplayItems() {
  const t = useTexts(texts);
  const [language, setLanguage] = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Choice
        label={t('language')}
        value={language}
        options={LANGUAGES}
        nameOf={(name) => LANGUAGE_NAMES[name]}
        onChoose={setLanguage}
      />
      <Menu.Divider />
      <Choice
        label={t('theme')}
        value={colorScheme}
        options={SCHEMES}
        nameOf={(scheme) => t(scheme)}
        onChoose={setColorScheme}
      />
    </>
  );
}

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly onChoose: (value: Value) => void;
};

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, nameOf, onChoose } = props;
  return (
    <Menu.RadioGroup value={value} aria-label={label}>
      <Menu.Label aria-hidden>{label}</Menu.Label>
      {options.map((option) => (
        <Menu.RadioItem key={option} value={option} onChange={() => onChoose(option)}>
          {nameOf(option)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
