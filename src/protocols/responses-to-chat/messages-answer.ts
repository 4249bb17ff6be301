/**
 * Translates a Messages answer into a response. The translation from Messages to chat turns it into
 * chunks, as for a chat caller, and the output writer turns the chunks into items.
 */
import {
  asArray,
  asFilledString,
  asJsonObject,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { answerObject, failedAnswer, invalidAnswer, unreadableAnswer } from '../broken-answer.ts';
import { finishReason, thinkingTokens } from '../chat-to-messages/answer-fields.ts';
import type { AnswerWriter, Counted } from '../chat-to-messages/chunk-writer.ts';
import { reasoningDetails, type Thought } from '../chat-to-messages/reasoning.ts';
import { type Chunk, startState, step } from '../chat-to-messages/step.ts';
import { openMessagesAs } from '../chat-to-messages/stream.ts';
import type { CostFields, StreamPass, TextAnswer } from '../dialect.ts';
import { reportedError } from '../messages/errors.ts';
import { outputBytesOf } from '../messages/stream-event.ts';
import { billedUsage, messagesReport } from '../messages/usage.ts';
import { type AnsweredRequest, responseText } from '../responses/response-object.ts';
import { NO_EVENTS, ResponseStream } from '../responses/response-stream.ts';
import { responsesUsage } from '../responses/usage.ts';
import type { AnswerContext, StreamContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { type AnsweredOptions, endOf, openItemStatus, servedTier } from './answer-fields.ts';
import { OutputWriter } from './output-writer.ts';

export function openMessagesAsResponses(
  context: StreamContext,
  options: AnsweredOptions,
): StreamPass {
  const stream = context.response ?? new ResponseStream(options.settings, false);
  const { requestId, maxEventBytes: maxUnits } = context;
  const output = new OutputWriter(stream, { ...options, requestId, maxUnits });
  return openMessagesAs(context, new ResponsesWriter(context, stream, output));
}

class ResponsesWriter implements AnswerWriter {
  readonly #request: AnsweredRequest;
  readonly #stream: ResponseStream;
  readonly #output: OutputWriter;
  #stopReason = '';

  constructor(request: AnsweredRequest, stream: ResponseStream, output: OutputWriter) {
    this.#request = request;
    this.#stream = stream;
    this.#output = output;
  }

  get fault(): string | null {
    return this.#output.fault;
  }

  chunk(chunk: Chunk): string {
    if (chunk.kind === 'role') this.#stream.begin(this.#request);
    else if (chunk.kind === 'finish') this.#stopReason = chunk.stopReason;
    writeChunk(this.#output, chunk);
    return this.#stream.take();
  }

  closing(counted: Counted, cost: CostFields): string {
    const { output, refusal } = this.#output;
    const content = {
      end: endOfStop(this.#stopReason),
      output,
      usage: usageText(counted, cost),
      tier: servedTier(counted.served.tier),
    };
    return this.#stream.closing(this.#request, content, refusal);
  }
}

/**
 * Reads a Messages answer as a response. If a body with status 200 reports an error or has no stop
 * reason, `facts.error` is set.
 * @throws GatewayError `upstream_failed` when the body is neither a message nor an error object.
 */
export function readMessagesAsResponse(
  bytes: Uint8Array<ArrayBuffer>,
  context: AnswerContext,
  options: AnsweredOptions,
): TextAnswer {
  const json = answerObject(bytes);
  if (json['type'] === 'error' || isJsonObject(json['error']))
    return failedAnswer(reportedError(json));
  const { content, usage } = json;
  if (!Array.isArray(content)) throw unreadableAnswer(new Error('the answer has no content'));
  const stopReason = asFilledString(json['stop_reason']);
  if (stopReason === null)
    return invalidAnswer('The upstream ended its message without a stop reason.');
  // The size of a non-streaming answer is limited already, so its output needs no limit.
  const rules = { ...options, requestId: context.requestId, maxUnits: Number.POSITIVE_INFINITY };
  const writer = new OutputWriter(NO_EVENTS, rules);
  let state = startState(Number.POSITIVE_INFINITY);
  let outputBytes = 0;
  for (const event of eventsOf(json, content)) {
    const [next, chunks] = step(state, event);
    state = next;
    for (const chunk of chunks) writeChunk(writer, chunk);
  }
  const fault = state.fault ?? writer.fault;
  if (fault !== null) return invalidAnswer(fault);
  for (const block of content) outputBytes += blockBytes(asJsonObject(block) ?? {});
  const report = messagesReport(json, usage, context.quirks);
  const { served } = report;
  const counted: Counted = { ...report, counts: asJsonObject(usage) ?? {} };
  return {
    facts: {
      usage: billedUsage(report, stopReason, outputBytes),
      served,
      outputBytes,
      finishReason: finishReason(stopReason, state.calls > 0, false),
      error: null,
    },
    write: ({ model, cost }) =>
      responseText({ ...context, model }, options.settings, {
        end: endOfStop(stopReason),
        output: writer.output,
        usage: usageText(counted, cost),
        tier: servedTier(served.tier),
      }),
  };
}

/**
 * Yields the events of a stream for a message that is not streamed. Each `content_block_start`
 * carries its complete block. Only citations follow as deltas.
 */
function* eventsOf(message: JsonObject, content: readonly unknown[]) {
  yield { type: 'message_start', json: { message } };
  for (const [index, block] of content.entries()) {
    yield { type: 'content_block_start', json: { index, content_block: block } };
    for (const citation of asArray(asJsonObject(block)?.['citations'])) {
      const delta = { type: 'citations_delta', citation };
      yield { type: 'content_block_delta', json: { index, delta } };
    }
    yield { type: 'content_block_stop', json: { index } };
  }
  yield { type: 'message_delta', json: { delta: message } };
  yield { type: 'message_stop', json: {} };
}

function blockBytes(block: JsonObject): number {
  const input = asJsonObject(block['input']);
  return outputBytesOf(block) + (input === null ? 0 : Buffer.byteLength(JSON.stringify(input)));
}

function writeChunk(output: OutputWriter, chunk: Chunk): void {
  switch (chunk.kind) {
    case 'text':
      output.text(chunk.text);
      return;
    case 'reasoning':
      output.reasoning(chunk.text);
      return;
    case 'refusal':
      output.refuse(chunk.text);
      return;
    case 'thought':
      output.thought(detailsOf(chunk.thought));
      return;
    case 'call': {
      const { call: index, id, name } = chunk;
      output.call({ index, id, name, arguments: '', extra: null });
      return;
    }
    case 'arguments':
      output.call({ index: chunk.call, id: null, name: null, arguments: chunk.json, extra: null });
      return;
    case 'finish':
      output.end(openItemStatus(endOfStop(chunk.stopReason)));
      return;
    case 'cited':
      cite(output, chunk);
      return;
    case 'role':
    case 'thoughts':
    case 'annotations':
      // Nothing is written: each thought and each citation was already written at its own position.
      return;
  }
}

/** Adds citations of the text that was written last. */
function cite(
  output: OutputWriter,
  { citations, units }: Chunk & { readonly kind: 'cited' },
): void {
  const end = output.textUnits;
  // If the cited text is blank and still held back, no message contains it, so nothing is cited.
  if (end < units) return;
  for (const { url, title } of citations) {
    const place = { start_index: end - units, end_index: end };
    output.annotate({ type: 'url_citation', ...place, title, url });
  }
}

const AT_THE_START = { text: 0, calls: 0 };

/**
 * Returns a thinking block as `reasoning_details`. Leaves out the block's position, because the
 * position of the reasoning item replaces it.
 */
const detailsOf = ({ block }: Thought): readonly JsonObject[] =>
  reasoningDetails([{ block, place: AT_THE_START }]);

const endOfStop = (stopReason: string) =>
  endOf(finishReason(stopReason, false, false)) ?? ({ status: 'completed' } as const);

function usageText({ usage, counts }: Counted, cost: CostFields): string {
  const charged = cost.estimated ?? usage ?? NO_USAGE;
  return usageWithCost(responsesUsage(charged, thinkingTokens(counts) ?? 0), cost);
}
