/**
 * A form for people who are not signed in. It has an error message, the input fields, and one wide
 * button.
 */
import { Button, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { FormProblem } from '#components/forms/form-problem.tsx';

export type EntryFormProps = {
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly isRunning: boolean;
  readonly problem: Error | null;
  /** The label of the submit button. */
  readonly submit: string;
  readonly children: ReactNode;
};

export function EntryForm({ onSubmit, isRunning, problem, submit, children }: EntryFormProps) {
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <FormProblem error={problem} />
        {children}
        <Button type="submit" loading={isRunning} fullWidth mt="xs">
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
