/** Passes an answer on unchanged, and copies the beginning of its bytes. */

export type KeptBytes = { readonly bytes: Uint8Array; readonly isCut: boolean };

/**
 * Returns an answer with the same content. While the caller reads it, its first `maxBytes` are
 * copied.
 * @param onEnd called once with the copy, when the answer is complete or has failed, or when the
 *   caller has disconnected.
 */
export function tappedAnswer(
  response: Response,
  maxBytes: number,
  onEnd: (kept: KeptBytes) => void,
): Response {
  const { body } = response;
  if (body === null) {
    onEnd({ bytes: new Uint8Array(0), isCut: false });
    return response;
  }
  const chunks: Uint8Array[] = [];
  let [kept, isCut, isEnded] = [0, false, false];
  const keep = (chunk: Uint8Array): void => {
    const part = chunk.subarray(0, maxBytes - kept);
    if (part.byteLength < chunk.byteLength) isCut = true;
    if (part.byteLength === 0) return;
    // Copies the chunk, because it may be a view of a much larger buffer.
    chunks.push(part.slice());
    kept += part.byteLength;
  };
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    onEnd({ bytes: Buffer.concat(chunks), isCut });
  };
  const reader = body.getReader();
  const tapped = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            end();
            controller.close();
            return;
          }
          keep(value);
          controller.enqueue(value);
        } catch (thrown) {
          end();
          controller.error(thrown);
        }
      },
      cancel: async (reason) => {
        end();
        await reader.cancel(reason);
      },
    },
    // The stream reads nothing ahead, so that the relay can still measure how fast the caller
    // reads.
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(tapped, { status, headers });
}
