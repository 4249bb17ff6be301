/** The found commands in groups, with the selected command marked. */
import { Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { COMMAND_GROUPS, type Command } from './command.ts';
import classes from './palette.module.css';
import { paletteTexts } from './palette-texts.ts';

const ICON_PX = 18;

/** The id of a command, to which the search field refers as its active descendant. */
export const optionId = (listId: string, at: number): string => `${listId}-${at}`;

export type CommandListProps = {
  readonly id: string;
  readonly commands: readonly Command[];
  readonly selected: number;
  readonly onSelect: (at: number) => void;
  readonly onRun: (command: Command) => void;
};

export function CommandList(props: CommandListProps) {
  const { id, commands } = props;
  const t = useTexts(paletteTexts);
  return (
    <div className={classes['scroller']}>
      <div id={id} role="listbox" aria-label={t('results')} className={classes['list']}>
        {COMMAND_GROUPS.filter((name) => commands.some(({ group }) => group === name)).map(
          (name) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox cannot contain a fieldset.
            <div key={name} role="group" aria-label={t(name)}>
              <Text size="xs" fw={600} c="dimmed" px="sm" pt="xs" pb={4} aria-hidden>
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
      // Only a moving pointer selects: the list may appear under a pointer that rests.
      onMouseMove={() => onSelect(at)}
      // Without this, the press would move the focus out of the search field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onRun(command)}
    >
      <Group gap="sm" wrap="nowrap">
        <command.icon size={ICON_PX} aria-hidden />
        <Text span size="sm" truncate>
          {command.label}
        </Text>
        {command.detail === undefined ? null : (
          <Text span size="xs" c="dimmed" ff="monospace" truncate ml="auto">
            {command.detail}
          </Text>
        )}
      </Group>
    </div>
  );
}
