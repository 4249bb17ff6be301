/** For tests: a scripted upstream whose streams have the length and pace that the prompt states. */

import { at, CHAT, listAt, post, readUntil } from '../wire.ts';
import {
  chatChunk,
  chatUsage,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream.ts';

const PIECE = 'so much to tell '.repeat(64);
/** The number of tokens that the gateway estimates for a piece: one per four characters. */
const TOKENS_A_PIECE = PIECE.length / 4;
/** The number of pieces after which a stream has raised its hold once and left a checkpoint. */
const RAISING_PIECES = 7;
/**
 * The number of pieces that a waiting stream sends after `release`. They make the stream cost more
 * than its last checkpoint states, but are too few to raise the hold again.
 */
const LAST_PIECES = 4;

export type PacedUpstream = ScriptedUpstream & {
  /** Lets all waiting streams end, and also streams that start to wait later. */
  readonly release: () => void;
};

/**
 * Starts an upstream for `scripted-chat`. For the prompt `N pieces, M ms`, it sends N pieces of 1
 * KiB, M ms apart. If the prompt ends with `and wait`, `LAST_PIECES` more pieces and the end follow
 * after `release`.
 */
export async function startPacedUpstream(): Promise<PacedUpstream> {
  const upstream = await startScriptedUpstream();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  upstream.script(({ body, aborted }) => {
    const asked = String(at(listAt(body, 'messages').at(-1), 'content'));
    const found = /^(\d+) pieces, (\d+) ms( and wait)?$/.exec(asked) ?? [];
    const [, first = '1', pauseMs = '0', waits] = found;
    const pieces = Number(first) + (waits === undefined ? 0 : LAST_PIECES);
    const gone = aborted.then(() => 'gone' as const);
    let sent = 0;
    const encoder = new TextEncoder();
    return eventStream([chatChunk({ role: 'assistant', content: '' })], async (controller) => {
      const isHeld = waits !== undefined && sent >= Number(first);
      const pause = isHeld ? released : Bun.sleep(Number(pauseMs));
      if ((await Promise.race([pause, gone])) === 'gone') return controller.close();
      sent += 1;
      if (sent <= pieces) return controller.enqueue(encoder.encode(chatChunk({ content: PIECE })));
      const usage = chatUsage(asked.length, pieces * TOKENS_A_PIECE);
      controller.enqueue(encoder.encode(`${chatChunk({}, 'stop')}${usage}data: [DONE]\n\n`));
      controller.close();
    });
  });
  return { ...upstream, release };
}

export type OpenStream = {
  readonly requestId: string;
  readonly invokedAtMs: number;
  /** Reads the rest of the stream until it ends. */
  readonly rest: () => Promise<string>;
};

/**
 * Opens a stream. Resolves when the stream has raised its hold and its upstream waits for
 * `release`.
 */
export async function openStream(target: {
  readonly url: string;
  readonly key: string;
}): Promise<OpenStream> {
  const invokedAtMs = Date.now();
  const content = `${RAISING_PIECES} pieces, 1 ms and wait`;
  const response = await post(target, CHAT, {
    model: 'scripted-chat',
    messages: [{ role: 'user', content }],
    stream: true,
    stream_options: { include_usage: true },
  });
  if (response.status !== 200) throw new Error(await response.text());
  const reader = await readUntil(response, (text) => text.split(PIECE).length > RAISING_PIECES);
  const requestId = response.headers.get('x-request-id') ?? '';
  return { requestId, invokedAtMs, rest: reader.rest };
}
