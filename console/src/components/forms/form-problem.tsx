/** The error of a form, if it has one. */
import { ApiProblem } from '#components/api-problem.tsx';

export type FormProblemProps = {
  /** The error to show; null without an error. */
  readonly error: Error | null;
};

export const FormProblem = ({ error }: FormProblemProps) =>
  error === null ? null : <ApiProblem error={error} />;
