/** A state as a dot and a word. Only states that need attention are colored. */
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './status.module.css';

/**
 * `quiet`: ended or off, with nothing to do. `good`: works. `attention`: somebody should look.
 * `bad`: failed.
 */
export type Tone = 'quiet' | 'good' | 'attention' | 'bad';

export type StatusProps = {
  readonly tone: Tone;
  /** The explanation shown on hover. */
  readonly title?: string | undefined;
  /** The text of the state. It must be complete without the dot, which screen readers skip. */
  readonly children: ReactNode;
};

export function Status({ tone, title, children }: StatusProps) {
  return (
    <Box component="span" className={classes['status'] ?? ''} data-tone={tone} title={title}>
      {children}
    </Box>
  );
}
