/** The error of a form: the remedy if its code has one, otherwise all known details. */
import { Alert, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiProblem } from '#components/api-problem.tsx';
import { useProblemText } from '#components/problem-texts.ts';

export type FormProblemProps = {
  /** The error; null shows nothing. */
  readonly error: Error | null;
};

export function FormProblem({ error }: FormProblemProps) {
  const problemText = useProblemText();
  if (error === null) return null;
  const text = problemText(error);
  if (text === null) return <ApiProblem error={error} />;
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle />} role="alert">
      <Text size="sm">{text}</Text>
    </Alert>
  );
}
