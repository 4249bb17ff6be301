/** For tests: waits until a condition is true, up to a time limit. */

const POLL_MS = 10;
/**
 * The default time limit. It is long, because only a failing test reaches it, and a busy machine
 * needs many times as long as an idle one.
 */
const LIMIT_MS = 30_000;

/**
 * Calls `look` until `isThere` accepts the returned value. Returns this value.
 * @throws Error with the last value if the time limit passes first.
 */
export async function eventually<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  isThere: (value: Value) => boolean,
  limitMs: number = LIMIT_MS,
): Promise<Value> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`${what}: not within ${limitMs} ms; last seen: ${Bun.inspect(value)}`);
    await Bun.sleep(POLL_MS);
  }
}
