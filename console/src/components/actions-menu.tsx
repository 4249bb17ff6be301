/** The menu of a row's actions, opened by a button with three dots. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, type IconProps } from '@tabler/icons-react';
import { type ComponentType, Fragment, useRef } from 'react';

/** A red with enough contrast for small text. */
export const RED = 'var(--mantine-color-red-light-color)';

export type Action = {
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  /** Whether the action cannot be undone. Such an action is red and set apart from the others. */
  readonly isGrave?: boolean;
  readonly act: () => void;
};

export type ActionsMenuProps = {
  readonly label: string;
  readonly actions: readonly Action[];
  readonly isRunning?: boolean;
};

export function ActionsMenu({ label, actions, isRunning = false }: ActionsMenuProps) {
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          ref={opener}
          variant="subtle"
          color="gray"
          size="md"
          loading={isRunning}
          aria-label={label}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label: name, icon: Icon, isGrave = false, act }) => (
          <Fragment key={name}>
            {isGrave ? <Menu.Divider /> : null}
            <Menu.Item
              {...(isGrave ? { color: 'red', c: RED } : {})}
              leftSection={<Icon size={16} />}
              onClick={() => {
                // A dialog returns the focus to the element that had it. The item disappears.
                opener.current?.focus();
                act();
              }}
            >
              {name}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
