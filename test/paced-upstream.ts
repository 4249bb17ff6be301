/** For tests: a scripted upstream whose streams are as long and as slow as their prompt says. */
import {
  chatChunk,
  chatUsage,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream.ts';
import { at, listAt } from './wire.ts';

const PIECE = 'so much to tell '.repeat(64);
/** A piece is about so many tokens: what it comes to is what the gateway estimates by its length. */
export const TOKENS_A_PIECE = PIECE.length / 4;

/** Answers `scripted-chat` when it is asked for `N pieces, M ms`: N pieces of 1 KiB, M ms apart. */
export async function startPacedUpstream(): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream();
  upstream.script(({ body, aborted }) => {
    const asked = String(at(listAt(body, 'messages').at(-1), 'content'));
    const [, pieces = '1', pauseMs = '0'] = /^(\d+) pieces, (\d+) ms$/.exec(asked) ?? [];
    const gone = aborted.then(() => 'gone' as const);
    let left = Number(pieces);
    const encoder = new TextEncoder();
    return eventStream([chatChunk({ role: 'assistant', content: '' })], async (controller) => {
      const waited = await Promise.race([Bun.sleep(Number(pauseMs)), gone]);
      if (waited === 'gone') return controller.close();
      left -= 1;
      if (left >= 0) return controller.enqueue(encoder.encode(chatChunk({ content: PIECE })));
      const usage = chatUsage(asked.length, Number(pieces) * TOKENS_A_PIECE);
      controller.enqueue(encoder.encode(`${chatChunk({}, 'stop')}${usage}data: [DONE]\n\n`));
      controller.close();
    });
  });
  return upstream;
}
