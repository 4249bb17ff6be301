/** A screen that could not be shown: its data was refused, or a fault of our own. */
import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiProblem } from '../components/api-problem.tsx';

export function RouteProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Container component="main" size="sm" py="xl">
      <ApiProblem
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={again}
      />
    </Container>
  );
}
