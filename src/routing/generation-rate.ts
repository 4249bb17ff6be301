/**
 * Measures how fast a route generates tokens, from its recent answers. With this rate the gateway
 * estimates the tokens of an answer that was aborted before the upstream reported them.
 */

/** Answers with fewer tokens are ignored: their time is mostly the wait for the first token. */
const MIN_TOKENS = 128;
/** Answers with more tokens per second are ignored: they come from a cache. */
const MAX_RATE = 4_000;
const REMEMBERED_ANSWERS = 32;
const MIN_ANSWERS = 4;
/** Tokens per second assumed for a route with too few answers: usual for large hosted models. */
export const USUAL_TOKENS_PER_SECOND = 100;
/**
 * The quantile of the recent rates that counts as the route's rate. It is high, because long
 * prompts and slow readers make many answers slower than the route.
 */
const QUANTILE = 0.75;

export class GenerationRate {
  readonly #rates: number[] = [];
  #next = 0;

  /** @param tookMs milliseconds from sending the request to the end of the answer. */
  add(tokens: number, tookMs: number): void {
    const rate = (tokens * 1000) / tookMs;
    if (tokens < MIN_TOKENS || rate > MAX_RATE) return;
    this.#rates[this.#next] = rate;
    this.#next = (this.#next + 1) % REMEMBERED_ANSWERS;
  }

  get tokensPerSecond(): number {
    const sorted = this.#rates.toSorted((a, b) => a - b);
    const rate = sorted[Math.floor(QUANTILE * (sorted.length - 1))];
    return rate === undefined || sorted.length < MIN_ANSWERS ? USUAL_TOKENS_PER_SECOND : rate;
  }
}
