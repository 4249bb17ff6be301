/** The error of a form, if it has one. */
import { ApiProblem } from '#components/api-problem.tsx';

export type FormProblemProps = {
  /** The error; null shows nothing. */
  readonly error: Error | null;
};

export const FormProblem = ({ error }: FormProblemProps) =>
  error === null ? null : <ApiProblem error={error} />;
