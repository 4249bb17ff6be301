/** A failure that the command line explains in one paragraph, without a stack. */

/**
 * `usage`: the command was typed wrongly (exit 2). `failed`: it could not be done (exit 1).
 * `unanswered`: the server may or may not have done it (exit 1).
 */
export type CliFault = 'usage' | 'failed' | 'unanswered';

export class CliError extends Error {
  readonly fault: CliFault;
  /** The server's error code, when the failure is its answer. */
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
