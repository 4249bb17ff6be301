/** The list of the steps of a guided form, with the current step marked. */
import { Text } from '@mantine/core';
import classes from './step-list.module.css';

export type StepListProps = {
  /** The list's name for screen readers. */
  readonly label: string;
  readonly steps: readonly string[];
  /** The index of the current step, starting at 0. */
  readonly current: number;
};

export function StepList({ label, steps, current }: StepListProps) {
  return (
    <ol className={classes['steps']} aria-label={label}>
      {steps.map((name, at) => (
        <li
          key={name}
          className={classes['step']}
          data-done={at <= current || undefined}
          aria-current={at === current ? 'step' : undefined}
        >
          <Text span size="xs" fw={at === current ? 600 : 400}>
            {`${at + 1}. ${name}`}
          </Text>
        </li>
      ))}
    </ol>
  );
}
