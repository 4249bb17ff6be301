/** The command palette: type to find a page, model, key or action, and press Enter to open it. */
import { Divider, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import { type Command, findCommands } from './command.ts';
import { CommandList, optionId } from './command-list.tsx';
import { paletteTexts } from './palette-texts.ts';
import { useCommands } from './use-commands.ts';

/** Hides the title, which is only for screen readers. */
const NO_HEAD = { header: { minHeight: 0, padding: 0 } } as const;

type PaletteProps = {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Called before a command runs. */
  readonly onRun: () => void;
};
export type CommandPaletteProps = PaletteProps & {
  readonly opened: boolean;
  readonly onDismiss: () => void;
};

export function CommandPalette({ opened, onDismiss, ...props }: CommandPaletteProps) {
  const t = useTexts(paletteTexts);
  return (
    <Dialog
      opened={opened}
      onClose={onDismiss}
      returnFocus={false}
      title={<VisuallyHidden>{t('title')}</VisuallyHidden>}
      withCloseButton={false}
      centered={false}
      size={600}
      yOffset="10vh"
      padding={0}
      styles={NO_HEAD}
    >
      <Palette {...props} />
    </Dialog>
  );
}

/** Rendered inside the dialog, so that each opening starts with the first command. */
function Palette({ query, onQuery, onRun }: PaletteProps) {
  const t = useTexts(paletteTexts);
  const listId = useId();
  const [selected, setSelected] = useState(0);
  const found = findCommands(useCommands(query), query);
  const at = Math.min(selected, found.length - 1);

  const run = (command: Command): void => {
    onRun();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An Enter key that completes Chinese or Japanese input does not select a command.
    if (event.nativeEvent.isComposing) return;
    const chosen = found[at];
    const next = steppedTo(event.key, at, found.length);
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      run(chosen);
    } else if (next !== null) {
      event.preventDefault();
      setSelected(next);
    }
  };

  return (
    <>
      <TextInput
        data-autofocus
        size="lg"
        variant="unstyled"
        px="md"
        leftSection={<IconSearch size={20} aria-hidden />}
        placeholder={t('search')}
        aria-label={t('search')}
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={found.length === 0 ? undefined : optionId(listId, at)}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          onQuery(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Divider />
      <CommandList id={listId} commands={found} selected={at} onSelect={setSelected} onRun={run} />
      <VisuallyHidden role="status">{t('found', { count: found.length })}</VisuallyHidden>
    </>
  );
}

/** Returns the list position to which a key moves the selection; null for any other key. */
function steppedTo(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'PageDown':
      return count - 1;
    case 'PageUp':
      return 0;
    default:
      return null;
  }
}
