/** For tests: correct answers of an upstream, which a hostile one modifies. */

import { at } from '../wire.ts';
import { dialectOf, type HostileExchange } from './hostile-upstream.ts';
import {
  chatChunk,
  chatStream,
  messageEnd,
  messageStart,
  messageWords,
} from './scripted-upstream.ts';

/** Text in three scripts with an emoji. */
export const SAID = '你好, 🌊 grüß dich';
/** A complete stream. */
export const whole = (exchange: HostileExchange): string =>
  dialectOf(exchange) === 'chat'
    ? chatStream(SAID).join('')
    : messageStart + messageWords(SAID) + messageEnd;
/** A stream without its end. */
export const half = (exchange: HostileExchange): string =>
  dialectOf(exchange) === 'chat' ? chatChunk({ content: SAID }) : messageStart + messageWords(SAID);
const piece = (exchange: HostileExchange): string =>
  JSON.stringify(
    dialectOf(exchange) === 'chat'
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

/** A correct answer, streaming or not as requested. */
export async function answerWell(exchange: HostileExchange): Promise<void> {
  if (at(exchange.body, 'stream') === true) {
    await exchange.head();
    await exchange.chunk(whole(exchange));
  } else {
    await exchange.head('200 OK', { 'content-type': 'application/json' });
    await exchange.chunk(piece(exchange));
  }
  await exchange.endBody();
}

/** Sends the start of an answer and leaves it open. */
export async function beginOnly(exchange: HostileExchange): Promise<void> {
  await exchange.head();
  await exchange.chunk(half(exchange));
  await exchange.gone;
}
