/** The result of a check of `doctor`. A result that is not ok has a remedy. */
export type Finding = {
  readonly check: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly remedy: string | null;
};

type Problem = { readonly found: string; readonly remedy: string };

export const ok = (check: string, found: string): Finding => ({
  ...{ check, level: 'ok', found, remedy: null },
});
export const warn = (check: string, problem: Problem): Finding => ({
  ...{ check, level: 'warn', ...problem },
});
export const fail = (check: string, problem: Problem): Finding => ({
  ...{ check, level: 'fail', ...problem },
});

export const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
