/**
 * The newest refused requests of each account, in memory, so that a caller can find one by its id.
 * They have no receipt, and callers could cause any number of them, so the store has none of them.
 */
import type { ErrorCode } from '../errors.ts';
import type { Endpoint, FinishedRequest } from './request-journal.ts';

/** A request that ended with an error before anything was charged. Without any prompt. */
export type Refusal = {
  readonly requestId: string;
  readonly atMs: number;
  readonly keyId: string;
  readonly endpoint: Endpoint;
  /** The requested model; null if the body was not read as far. */
  readonly model: string | null;
  readonly status: number;
  readonly code: ErrorCode;
  /** The message that the caller got, which may be shortened. */
  readonly message: string;
};

/** Enough to find a failure of the last minutes, also while a client repeats a bad request. */
const MAX_PER_ACCOUNT = 200;
/** The most refusals of all accounts: about 10 MB. */
const MAX_REFUSALS = 10_000;
const MAX_MESSAGE_CHARS = 500;
/** A model's name is what the caller sent, so it may have any length. */
const MAX_MODEL_CHARS = 200;

export class Refusals {
  /** Oldest first. The account that was refused last is the last one. */
  readonly #accounts = new Map<string, Refusal[]>();
  #count = 0;

  /** Keeps the request if it was refused or failed without a receipt, and its caller is known. */
  finished({ caller, endpoint, errorCode, errorMessage, ...request }: FinishedRequest): void {
    const { end, asked } = request;
    if (caller === null || endpoint === null || errorCode === null) return;
    if (end !== 'refused' && end !== 'failed') return;
    this.#add(caller.accountId, {
      requestId: request.requestId,
      atMs: request.startedAtMs,
      keyId: caller.keyId,
      endpoint,
      model: asked === null ? null : asked.model.slice(0, MAX_MODEL_CHARS),
      status: request.status,
      code: errorCode,
      message: (errorMessage ?? '').slice(0, MAX_MESSAGE_CHARS),
    });
  }

  /**
   * Returns an account's refusals, newest first.
   * @param idPrefix an id or its beginning; null for all.
   */
  of(accountId: string, idPrefix: string | null): readonly Refusal[] {
    const all = this.#accounts.get(accountId) ?? [];
    return all.filter(({ requestId }) => requestId.startsWith(idPrefix ?? '')).toReversed();
  }

  #add(accountId: string, refusal: Refusal): void {
    const own = this.#accounts.get(accountId) ?? [];
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, own);
    own.push(refusal);
    this.#count += 1;
    if (own.length > MAX_PER_ACCOUNT) this.#drop(own);
    if (this.#count <= MAX_REFUSALS) return;
    const [[oldest, refusals] = [accountId, own]] = this.#accounts;
    this.#drop(refusals);
    if (refusals.length === 0) this.#accounts.delete(oldest);
  }

  #drop(refusals: Refusal[]): void {
    refusals.shift();
    this.#count -= 1;
  }
}
