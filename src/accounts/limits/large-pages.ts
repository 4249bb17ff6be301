/**
 * Reads the large pages of an account one after the other. The rows of several large pages would
 * otherwise keep the event loop and the store busy without a break, for seconds.
 */
import { nextTurn } from '../../clock.ts';

/** Maximum rows of a page that is read at once. It is the default of most lists. */
const MAX_ROWS_AT_ONCE = 100;
const LIMIT = /[?&]limit=(\d+)/;

/** The end of the last large page of each account that reads some. */
const lastPages = new Map<string, Promise<void>>();

/** Calls `answer`, after the account's earlier large pages if the request is for a large page. */
export function inTurn(
  accountId: string,
  { url }: Pick<Request, 'url'>,
  answer: () => Promise<Response>,
): Promise<Response> {
  if (!(Number(LIMIT.exec(url)?.[1]) > MAX_ROWS_AT_ONCE)) return answer();
  const page = (lastPages.get(accountId) ?? Promise.resolve()).then(nextTurn).then(answer);
  const forget = (): void => {
    if (lastPages.get(accountId) === ended) lastPages.delete(accountId);
  };
  const ended: Promise<void> = page.then(forget, forget);
  lastPages.set(accountId, ended);
  return page;
}
