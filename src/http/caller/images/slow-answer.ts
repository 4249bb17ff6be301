/**
 * Keeps the connection of a slow, non-streaming answer alive with spaces before its JSON. Proxies
 * close a connection that is silent for as long as some images take.
 */
import type { Clock } from '../../../clock.ts';
import { asGatewayError, type GatewayError } from '../../../errors.ts';
import { orTimeout } from '../../../relay/upstream-answer.ts';

export type SlowAnswerTerms = {
  readonly clock: Pick<Clock, 'after' | 'every'>;
  /**
   * If no answer has arrived this many milliseconds after the request was sent to the upstream, the
   * response sends its status line.
   */
  readonly statusHoldMs: number;
  readonly keepAliveMs: number;
  /** Returns the headers of the 200 response that starts before the answer is known. */
  readonly headers: () => Record<string, string>;
  /** Called if the request fails after the status line was sent. Returns the error body. */
  readonly failed: (error: GatewayError) => string;
  /** Called if the caller disconnects after the status line was sent. */
  readonly left: () => void;
};

/** The byte that keeps the connection alive. JSON parsers skip spaces before a value. */
const SPACE = new TextEncoder().encode(' ');

/**
 * Returns the answer unchanged if it arrives within `statusHoldMs` after `begun`. Otherwise returns
 * a 200 whose body is spaces, followed by the JSON of the answer, or of the error if the request
 * fails.
 * @param begun resolves when money is held and the request is sent. An answer that arrives before
 *   that is returned unchanged.
 * @throws the error of an answer that fails before the status line is sent.
 */
export async function slowAnswer(
  answering: Promise<Response>,
  begun: Promise<void>,
  terms: SlowAnswerTerms,
): Promise<Response> {
  const early = await Promise.race([answering, begun]);
  if (early !== undefined) return early;
  const { clock, statusHoldMs, headers } = terms;
  const answer = await orTimeout(clock, answering, statusHoldMs);
  if (answer !== 'timeout') return answer;
  const head = { ...headers(), 'content-type': 'application/json', 'x-accel-buffering': 'no' };
  return new Response(bodyOf(answering, terms), { headers: head });
}

function bodyOf(
  answering: Promise<Response>,
  { clock, keepAliveMs, failed, left }: SlowAnswerTerms,
): ReadableStream<Uint8Array> {
  let isOver = false;
  let stop = (): void => {};
  return new ReadableStream({
    start: (controller) => {
      // The runtime sends the status line and headers only with the first byte of the body.
      controller.enqueue(SPACE);
      const timer = clock.every(keepAliveMs, () => controller.enqueue(SPACE));
      stop = () => {
        isOver = true;
        timer.cancel();
      };
      const bytes = answering
        .then((answer) => answer.bytes())
        .catch((thrown: unknown) =>
          isOver ? SPACE : new TextEncoder().encode(failed(asGatewayError(thrown))),
        );
      void bytes.then((body) => {
        if (isOver) return;
        stop();
        controller.enqueue(body);
        controller.close();
      });
    },
    cancel: () => {
      stop();
      left();
    },
  });
}
