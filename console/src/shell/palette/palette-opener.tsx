/** The button that opens the command palette, whose code loads when the browser is idle. */
import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys, useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from '#shell/shell.module.css';
import { MAIN_ID } from '#shell/skip-link.tsx';

const texts = defineTexts('palette-opener', {
  en: { find: 'Search', label: 'Search pages, models, keys and actions' },
  zh: { find: '搜索', label: '搜索页面、模型、密钥与操作' },
});

/** The delay before the palette is loaded, so that the first screen loads its data first. */
const IDLE_MS = 1_000;
const load = () => import('./command-palette.tsx');
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }));

declare global {
  interface Navigator {
    /** The browser's information about its connection. Safari and Firefox do not provide it. */
    readonly connection?: { readonly saveData: boolean; readonly effectiveType: string };
  }
}

/** Whether the connection is slow or metered, so that nothing is loaded in advance. */
const isLoadingDear = ({ connection }: Navigator): boolean =>
  connection !== undefined && (connection.saveData || connection.effectiveType !== '4g');

/**
 * Loads the palette when the browser is idle. Returns a function that cancels the load before it
 * starts; undefined on a slow or metered connection, where nothing is loaded.
 */
function whenIdle(): (() => void) | undefined {
  if (isLoadingDear(navigator)) return undefined;
  // Ignores a failure, because opening the palette loads it again and shows any error.
  const preload = (): void => void load().catch(() => {});
  // Safari does not support `requestIdleCallback`.
  const timer = setTimeout(() => (globalThis.requestIdleCallback ?? setTimeout)(preload), IDLE_MS);
  return () => clearTimeout(timer);
}

/** Adds to the query what the person types before the search field has the focus. */
function collectKeys(change: (add: (query: string) => string) => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, isComposing, target } = event;
    const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing;
    if (!isLetter || (target instanceof Element && target.closest('[role="dialog"]'))) return;
    event.preventDefault();
    event.stopPropagation();
    change((query) => query + key);
  };
  document.addEventListener('keydown', onKey, { capture: true });
  return () => document.removeEventListener('keydown', onKey, { capture: true });
}

export function PaletteOpener() {
  const t = useTexts(texts);
  const os = useOs();
  // The palette stays mounted after closing, so that it can animate out.
  const [state, setState] = useState<'unwanted' | 'open' | 'closed'>('unwanted');
  const [query, setQuery] = useState('');
  const focused = useRef<Element | null>(null);
  const open = (): void => {
    if (state === 'open') return;
    focused.current = document.activeElement;
    setQuery('');
    setState('open');
  };
  const dismiss = (): void => {
    setState('closed');
    if (focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true });
  };
  useEffect(whenIdle, []);
  useEffect(() => (state === 'open' ? collectKeys(setQuery) : undefined), [state]);
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
          <CommandPalette
            opened={state === 'open'}
            query={query}
            onQuery={setQuery}
            onDismiss={dismiss}
            onRun={() => setState('closed')}
          />
        </Suspense>
      )}
    </>
  );
}

/**
 * The CSS selector of the input with which a page filters its content: a search field, or an input
 * that has `data-page-filter` or is inside an element that has it.
 */
const FILTER = `#${MAIN_ID} :is(input[type='search'], input[data-page-filter], [data-page-filter] input)`;

/**
 * Installs the keyboard shortcuts. `mod+K` opens the command palette. `/` focuses the page's
 * filter.
 * @param openPalette opens the command palette; `/` calls it on pages without a filter.
 */
function useShortcuts(openPalette: () => void): void {
  const focusFilter = (): void => {
    const filter = document.querySelector<HTMLInputElement>(FILTER);
    if (filter === null) openPalette();
    else {
      filter.focus();
      filter.select();
    }
  };
  // The empty list of ignored elements enables Ctrl+K in text fields too. `/` stays disabled there,
  // because it types a slash.
  useHotkeys([['mod+K', openPalette]], []);
  useHotkeys([['/', focusFilter]]);
}
