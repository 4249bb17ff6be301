/** The button that opens the command palette, which loads on first use. */
import { Kbd, UnstyledButton } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from '#shell/shell.module.css';
import { useShortcuts } from './shortcuts.ts';

const texts = defineTexts('palette-opener', {
  en: { find: 'Search', label: 'Search pages, models, keys and actions' },
  zh: { find: '搜索', label: '搜索页面、模型、密钥与操作' },
});

const load = () => import('./command-palette.tsx');
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }));

export function PaletteOpener() {
  const t = useTexts(texts);
  const os = useOs();
  // The palette stays mounted after closing, so that it can animate out.
  const [state, setState] = useState<'unwanted' | 'open' | 'closed'>('unwanted');
  const open = (): void => setState('open');
  useShortcuts(open);
  const keys = os === 'macos' || os === 'ios' ? '⌘K' : 'Ctrl K';
  return (
    <>
      <UnstyledButton
        className={classes['search']}
        onClick={open}
        onPointerEnter={() => void load()}
        title={t('label')}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
      >
        <IconSearch size={16} aria-hidden />
        <span className={classes['searchName']}>{t('find')}</span>
        <Kbd size="xs" visibleFrom="md" aria-hidden>
          {keys}
        </Kbd>
      </UnstyledButton>
      {state === 'unwanted' ? null : (
        <Suspense fallback={null}>
          <CommandPalette opened={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  );
}
