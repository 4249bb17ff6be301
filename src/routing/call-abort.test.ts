import { expect, test } from 'bun:test';
import { CallAbort, type CallSignal } from './call-abort.ts';

/**
 * Calls `abort` twice, and adds and removes listeners before and after. Returns what the listeners
 * and the signal reported.
 */
function seen(signal: CallSignal, abort: (reason?: unknown) => void): unknown[] {
  const events: unknown[] = [signal.aborted, signal.reason];
  const note = (name: string) => () => events.push(name, signal.aborted, signal.reason);
  const removed = note('removed');
  signal.addEventListener('abort', note('first'));
  signal.addEventListener('abort', removed);
  signal.addEventListener('abort', note('second'));
  signal.removeEventListener('abort', removed);
  signal.throwIfAborted();
  abort('why');
  signal.addEventListener('abort', note('late'));
  abort('again');
  try {
    signal.throwIfAborted();
  } catch (thrown) {
    events.push(thrown);
  }
  return events;
}

test('behaves like the abort controller of the platform', () => {
  const platform = new AbortController();
  const expected = seen(platform.signal, (reason) => platform.abort(reason));
  const own = new CallAbort();
  expect(seen(own, (reason) => own.abort(reason))).toEqual(expected);
  expect(expected).toContain('second');
});

test('has a reason when none is given', () => {
  const own = new CallAbort();
  own.abort();
  const { reason } = own;
  expect(reason instanceof DOMException && reason.name).toBe('AbortError');
});
