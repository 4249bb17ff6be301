/** For tests: correct answers of an upstream, from which a hostile upstream creates broken ones. */

import { at } from '../wire.ts';
import { dialectOf, type HostileCall } from './hostile-upstream.ts';
import {
  chatChunk,
  chatStream,
  messageEnd,
  messageStart,
  messageWords,
} from './scripted-upstream.ts';

/** The text of the answer, in several scripts and with an emoji. */
export const SAID = '你好, 🌊 grüß dich';
/** Returns a complete stream with the text `SAID`. */
export const whole = (call: HostileCall): string =>
  dialectOf(call) === 'chat'
    ? chatStream(SAID).join('')
    : messageStart + messageWords(SAID) + messageEnd;
/** Returns a stream with the text `SAID`, but without its end. */
export const half = (call: HostileCall): string =>
  dialectOf(call) === 'chat' ? chatChunk({ content: SAID }) : messageStart + messageWords(SAID);
const piece = (call: HostileCall): string =>
  JSON.stringify(
    dialectOf(call) === 'chat'
      ? {
          id: 'same',
          object: 'chat.completion',
          created: 1,
          model: 'upstream-model',
          choices: [
            { index: 0, message: { role: 'assistant', content: SAID }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        }
      : {
          id: 'same',
          type: 'message',
          role: 'assistant',
          model: 'upstream-model',
          content: [{ type: 'text', text: SAID }],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 5 },
        },
  );

/** Sends a correct answer, as a stream if the request asks for a stream. */
export async function answerWell(call: HostileCall): Promise<void> {
  if (at(call.body, 'stream') === true) {
    await call.head();
    await call.chunk(whole(call));
  } else {
    await call.head('200 OK', { 'content-type': 'application/json' });
    await call.chunk(piece(call));
  }
  await call.endBody();
}

/** Sends the start of a stream, and then nothing until the gateway disconnects. */
export async function beginOnly(call: HostileCall): Promise<void> {
  await call.head();
  await call.chunk(half(call));
  await call.gone;
}
