/** Checks a value against a schema and says what is wrong with it as a caller can use it. */
import type { z } from 'zod';
import { GatewayError } from '../errors.ts';

/**
 * @param path where the value stands in the body; empty for the body itself.
 * @throws GatewayError `missing_required_parameter` or `invalid_value` for the first thing that is wrong,
 *   its `param` written like `messages[0].content`.
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw parsed.error;
  const param = pathOf(path, issue.path);
  throw valueAt(value, issue.path) === undefined
    ? refusal('missing_required_parameter', param, issue.message)
    : invalid(param, issue.message);
}

/** The same for values whose checked form is not needed. */
export function check(schema: z.ZodType, value: unknown, path: string): void {
  checked(schema, value, path);
}

export const missing = (param: string, remedy: string): GatewayError =>
  refusal('missing_required_parameter', param, `field required; ${remedy}`);

export const invalid = (param: string, problem: string): GatewayError =>
  refusal('invalid_value', param, problem);

function refusal(
  code: 'missing_required_parameter' | 'invalid_value',
  param: string,
  problem: string,
): GatewayError {
  return new GatewayError(code, `${param === '' ? 'body' : param}: ${problem}.`, { param });
}

function pathOf(base: string, path: readonly PropertyKey[]): string {
  let text = base;
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, step)?.value;
  }
  return at;
}
