/** Reads an upstream's answer in one piece, within bounds of size and of silence. */
import type { Clock, Timer } from '../clock.ts';
import { GatewayError } from '../errors.ts';

export type AnswerLimits = {
  readonly clock: Pick<Clock, 'after'>;
  readonly maxAnswerBytes: number;
  /** How long the upstream may fall silent within its answer. */
  readonly idleTimeoutMs: number;
};

/**
 * @throws GatewayError `upstream_failed` when it is larger than allowed, `upstream_truncated` when it
 *   breaks off, `upstream_timeout` when it falls silent.
 */
export async function readAnswerBytes(
  response: Response,
  { clock, maxAnswerBytes, idleTimeoutMs }: AnswerLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredLength(response.headers);
  if (declared !== null && declared > maxAnswerBytes) throw tooLarge(maxAnswerBytes);
  const silence = new Silence(clock, idleTimeoutMs);
  try {
    // One piece is a quarter of the cost of chunks; a small one has come before silence could matter.
    if (declared !== null && declared <= ONE_PIECE_BYTES)
      return new Uint8Array(await silence.orOver(response.arrayBuffer()));
    return await collect(response, maxAnswerBytes, silence);
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    throw new GatewayError(
      'upstream_truncated',
      'The upstream broke off in the middle of its answer.',
      { cause: thrown },
    );
  } finally {
    silence.end();
  }
}

const ONE_PIECE_BYTES = 1024 * 1024;

/** The length of the whole answer; null when unknown. A compressed one unpacks to any length. */
function declaredLength(headers: Headers): number | null {
  const length = headers.get('content-length') ?? '';
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  return isPlain && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

async function collect(
  response: Response,
  maxBytes: number,
  silence: Silence,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await silence.orOver(reader.read());
    if (done) break;
    silence.broken();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** A limit on how long nothing may come. */
class Silence {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #limitMs: number;
  readonly #over = Promise.withResolvers<never>();
  #timer: Timer;

  constructor(clock: Pick<Clock, 'after'>, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    // Whoever waits is told; when nobody waits any more it is no fault.
    this.#over.promise.catch(() => undefined);
    this.#timer = this.#start();
  }

  /** @throws GatewayError `upstream_timeout`. */
  orOver<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#over.promise]);
  }

  /** Something came: the limit begins anew. */
  broken(): void {
    this.#timer.cancel();
    this.#timer = this.#start();
  }

  end(): void {
    this.#timer.cancel();
  }

  #start(): Timer {
    return this.#clock.after(this.#limitMs, () =>
      this.#over.reject(
        new GatewayError(
          'upstream_timeout',
          'The upstream fell silent in the middle of its answer.',
        ),
      ),
    );
  }
}

const tooLarge = (maxBytes: number): GatewayError =>
  new GatewayError('upstream_failed', `The upstream's answer is larger than ${maxBytes} bytes.`);
