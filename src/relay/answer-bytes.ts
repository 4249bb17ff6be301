/** Reads an upstream's answer in one piece, within bounds. */
import { GatewayError } from '../errors.ts';

/** @throws GatewayError `upstream_failed` when it is larger than `maxBytes`, `upstream_truncated` when it breaks off. */
export async function readAnswerBytes(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredLength(response.headers);
  if (declared !== null && declared > maxBytes) throw tooLarge(maxBytes);
  try {
    if (declared !== null) return new Uint8Array(await response.arrayBuffer());
    return await collect(response, maxBytes);
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    throw new GatewayError(
      'upstream_truncated',
      'The upstream broke off in the middle of its answer.',
      {
        cause: thrown,
      },
    );
  }
}

/** The length of the whole answer; null when unknown. A compressed one unpacks to any length. */
function declaredLength(headers: Headers): number | null {
  const length = headers.get('content-length') ?? '';
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  return isPlain && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

async function collect(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
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

const tooLarge = (maxBytes: number): GatewayError =>
  new GatewayError('upstream_failed', `The upstream's answer is larger than ${maxBytes} bytes.`);
