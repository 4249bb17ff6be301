/**
 * The account that this page shows, which each request names. All tabs share a session, so the
 * gateway refuses requests of a tab that still shows another account.
 */
let account: string | null = null;

export const showAccount = (id: string | null): void => {
  account = id;
};

/** The request header that names the shown account. */
export const shownAccount = (): Readonly<Record<string, string>> =>
  account === null ? {} : { 'x-account': account };
