/** A button without emphasis for the line above a table. On a phone only its icon is visible. */
import { Button, type ButtonProps, createPolymorphicComponent } from '@mantine/core';
import type { ComponentPropsWithRef, ComponentType } from 'react';
import classes from './table.module.css';

export type ToolButtonProps = ButtonProps & {
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly label: string;
};

export const ToolButton = createPolymorphicComponent<'button', ToolButtonProps>(
  ({ icon: Icon, label, ...props }: ToolButtonProps & ComponentPropsWithRef<'button'>) => (
    <Button size="xs" variant="subtle" color="gray" px={8} aria-label={label} {...props}>
      <span className={classes['tool']}>
        <Icon size={16} aria-hidden />
        <span>{label}</span>
      </span>
    </Button>
  ),
);
