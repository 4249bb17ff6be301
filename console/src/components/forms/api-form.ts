/**
 * A form that the API validates. The API's error about a field is shown at that field, and any
 * other error beside the form. Fields are named after the API's parameters.
 */
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { FormEventHandler } from 'react';
import { ApiError } from '#api/api-error.ts';
import { isObject } from '#api/json.ts';
import { useProblemText } from '#components/problem-texts.ts';
import { useFieldProblem } from './field-problem.ts';
import { useUnsaved } from './unsaved.ts';

type Fields = Readonly<Record<string, unknown>>;
/** Error messages by field name, or by path for nested fields such as `limits.spend.day`. */
type FieldErrors<Values extends Fields> = { readonly [Name in keyof Values]?: string | null } & {
  readonly [path: `${string}.${string}`]: string | null;
};

export type ApiFormOptions<Values extends Fields, Answer> = {
  readonly initialValues: Values;
  /** Validates the values before they are sent. In the result, valid fields are absent or null. */
  readonly validate?: (values: Values) => FieldErrors<Values>;
  readonly send: (values: Values) => Promise<Answer>;
  /**
   * Returns the form's own message for the API's error about a field; null for the default message.
   */
  readonly refusal?: (error: Error) => string | null;
  /**
   * Whether closing the form asks for confirmation if text has been typed. False for a form with
   * nothing worth keeping, such as only a password.
   */
  readonly isKept?: boolean;
  /** Called with the response. The form stays busy until the returned promise settles. */
  readonly onSent: (answer: Answer, values: Values) => Promise<void> | void;
};

export type ApiForm<Values extends Fields> = {
  /** The form state. A field needs only `{...form.getInputProps('email')}` and a label. */
  readonly form: UseFormReturnType<Values>;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly isRunning: boolean;
  /** An error that concerns no field, for `ApiProblem`; otherwise null. */
  readonly problem: Error | null;
};

export function useApiForm<Values extends Fields, Answer>({
  initialValues,
  validate = () => ({}),
  send,
  refusal = () => null,
  isKept = true,
  onSent,
}: ApiFormOptions<Values, Answer>): ApiForm<Values> {
  const problemText = useProblemText();
  const fieldProblem = useFieldProblem();
  const form = useForm<Values>({
    initialValues,
    validate: (values) => withoutNulls(validate(values)),
  });
  const saved = useUnsaved(isKept && form.isDirty());
  const focus = (name: string | undefined): void => {
    if (name !== undefined) form.getInputNode(name)?.focus();
  };
  const sending = useMutation({
    mutationFn: async (values: Values) => {
      const answer = await send(values);
      form.resetDirty(values);
      saved();
      await onSent(answer, values);
    },
    onError: (error) => {
      const name = fieldOf(error, initialValues);
      if (name === null) return;
      const text = refusal(error) ?? problemText(error) ?? fieldProblem(error);
      form.setErrors({ [name]: text ?? error.message });
      focus(name);
    },
  });
  const { error } = sending;
  return {
    form,
    // Ignores a second submission while the first is in progress.
    onSubmit: form.onSubmit(
      (values) => {
        if (!sending.isPending) sending.mutate(values);
      },
      (errors) => focus(Object.keys(errors)[0]),
    ),
    isRunning: sending.isPending,
    problem: error === null || fieldOf(error, initialValues) !== null ? null : error,
  };
}

/**
 * Returns the form field that an error concerns. For an error about an item of a list, this is the
 * field of the whole list.
 */
function fieldOf(error: Error, fields: Fields): string | null {
  return error instanceof ApiError && error.param !== null
    ? fieldAt(error.param.split('.'), fields)
    : null;
}

function fieldAt(path: readonly string[], fields: Fields): string | null {
  const [name = '', ...rest] = path;
  if (!Object.hasOwn(fields, name)) return null;
  const value = fields[name];
  if (rest.length === 0 || !isObject(value)) return name;
  const inner = fieldAt(rest, value);
  return inner === null ? null : `${name}.${inner}`;
}

function withoutNulls(errors: Readonly<Record<string, string | null | undefined>>) {
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error != null));
}
