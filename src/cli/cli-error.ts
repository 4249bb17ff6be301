/** Failures that the command line reports as one paragraph, without a stack trace. */

/**
 * `usage`: the command line is invalid. `unanswered`: no answer arrived, so the server may or may
 * not have run the command. `failed`: any other failure.
 */
export type CliFault = 'usage' | 'failed' | 'unanswered';

export class CliError extends Error {
  readonly fault: CliFault;
  /** The error code that the server returned; null if it returned none. */
  readonly code: string | null;

  constructor(
    fault: CliFault,
    message: string,
    detail: { readonly code?: string; readonly cause?: unknown } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'CliError';
    this.fault = fault;
    this.code = detail.code ?? null;
  }

  get exitCode(): number {
    return this.fault === 'usage' ? 2 : 1;
  }
}
