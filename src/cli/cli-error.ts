/** A failure that the command line reports as one paragraph, without a stack trace. */

/**
 * `usage`: the command line is invalid (exit 2). `failed`: the command failed (exit 1).
 * `unanswered`: the server may or may not have done it (exit 1).
 */
export type CliFault = 'usage' | 'failed' | 'unanswered';

export class CliError extends Error {
  readonly fault: CliFault;
  /** The error code of the server's answer; null: there was none. */
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
