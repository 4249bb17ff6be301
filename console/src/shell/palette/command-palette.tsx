/** The command palette: type to find a page, model, key or action, and press Enter to open it. */
import { Divider, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import { COMMAND_GROUPS, type Command, findCommands } from './command.ts';
import classes from './palette.module.css';
import { paletteTexts } from './palette-texts.ts';
import { useCommands } from './use-commands.ts';

/** Hides the dialog's visible title. Screen readers still read it. */
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

/**
 * The search field and its results. This component is mounted each time the dialog opens, so that
 * the first command is selected again.
 */
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

/**
 * Returns the position in the list to which a key such as `ArrowDown` moves the selection. Returns
 * null for a key that does not move the selection.
 */
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

const ICON_PX = 18;

/** The id of a command, to which the search field refers as its active descendant. */
const optionId = (listId: string, at: number): string => `${listId}-${at}`;

type CommandListProps = {
  readonly id: string;
  readonly commands: readonly Command[];
  readonly selected: number;
  readonly onSelect: (at: number) => void;
  readonly onRun: (command: Command) => void;
};

/** The found commands in groups, with the selected command marked. */
function CommandList(props: CommandListProps) {
  const { id, commands } = props;
  const t = useTexts(paletteTexts);
  return (
    <div className={classes['scroller']}>
      <div id={id} role="listbox" aria-label={t('results')} className={classes['list']}>
        {COMMAND_GROUPS.filter((name) => commands.some(({ group }) => group === name)).map(
          (name) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox cannot contain a fieldset.
            <div key={name} role="group" aria-label={t(name)}>
              <Text variant="caption" fw={600} px="sm" pt="xs" pb={4} aria-hidden>
                {t(name)}
              </Text>
              {commands.map((command, at) =>
                command.group === name ? (
                  <Option key={command.id} {...props} command={command} at={at} />
                ) : null,
              )}
            </div>
          ),
        )}
      </div>
      {commands.length > 0 ? null : (
        <Text c="dimmed" ta="center" p="xl">
          {t('none')}
        </Text>
      )}
    </div>
  );
}

type OptionProps = CommandListProps & { readonly command: Command; readonly at: number };

function Option({ id, command, at, selected, onSelect, onRun }: OptionProps) {
  const isSelected = at === selected;
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys.
    <div
      ref={option}
      id={optionId(id, at)}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      className={classes['option']}
      // Selects a command only when the pointer moves, since the list may open under a resting
      // pointer.
      onMouseMove={() => onSelect(at)}
      // Without this, a press would move the focus out of the search field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onRun(command)}
    >
      <Group gap="sm" wrap="nowrap">
        <command.icon size={ICON_PX} aria-hidden />
        <Text span size="sm" truncate>
          {command.label}
        </Text>
        {command.detail === undefined ? null : (
          <Text span variant="caption" ff="monospace" truncate ml="auto">
            {command.detail}
          </Text>
        )}
      </Group>
    </div>
  );
}
