/** Writes the parts of an answer that `step.ts` returns as events of a Messages stream. */
import { derivedId } from '../dialect.ts';
import type { StreamContext } from '../translator.ts';
import { type StopReason, stopDetails } from './answer-fields.ts';
import type { AnswerOptions } from './request.ts';
import type { Block, Piece } from './step.ts';

export class EventWriter {
  readonly #context: StreamContext;
  readonly #answerOptions: AnswerOptions;

  constructor(context: StreamContext, answerOptions: AnswerOptions) {
    this.#context = context;
    this.#answerOptions = answerOptions;
  }

  event(piece: Piece): string {
    switch (piece.kind) {
      case 'start':
        return event('message_start', `"message":${JSON.stringify(this.#message())}`);
      case 'open':
        return event(
          'content_block_start',
          `"index":${piece.index},"content_block":${this.#block(piece.block)}`,
        );
      case 'delta':
        return event(
          'content_block_delta',
          `"index":${piece.index},"delta":{${DELTAS[piece.to]}${JSON.stringify(piece.text)}}`,
        );
      case 'close':
        return event('content_block_stop', `"index":${piece.index}`);
    }
  }

  /** Returns the events that end the message. @param usage the usage object as JSON text. */
  closing(reason: StopReason, usage: string): string {
    const delta = {
      stop_reason: reason,
      stop_sequence: null,
      stop_details: stopDetails(reason),
      container: null,
    };
    const edits = this.#answerOptions.reportsEdits
      ? ',"context_management":{"applied_edits":[]}'
      : '';
    return (
      event('message_delta', `"delta":${JSON.stringify(delta)}${edits},"usage":${usage}`) +
      event('message_stop', '')
    );
  }

  /**
   * Returns the message of the event `message_start`. It reports 0 output tokens, because some
   * clients add the final count to this number.
   */
  #message(): unknown {
    const { requestId, model, estimatedInput } = this.#context;
    return {
      id: derivedId('msg_', requestId),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: estimatedInput,
        output_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    };
  }

  #block(block: Block): string {
    switch (block.type) {
      case 'text':
        return '{"type":"text","text":""}';
      case 'thinking':
        return '{"type":"thinking","thinking":"","signature":""}';
      case 'tool_use': {
        const { type, id } = block;
        const name = this.#answerOptions.names.forCaller(block.name);
        return JSON.stringify({ type, id, name, input: {} });
      }
    }
  }
}

/** The JSON of each kind of delta, up to the value of the member that contains the text. */
const DELTAS = {
  text: '"type":"text_delta","text":',
  thinking: '"type":"thinking_delta","thinking":',
  signature: '"type":"signature_delta","signature":',
  input: '"type":"input_json_delta","partial_json":',
} as const;

const event = (type: string, members: string): string =>
  `event: ${type}\ndata: {"type":"${type}"${members === '' ? '' : `,${members}`}}\n\n`;
