/** A chat completion in one piece: read for its usage, handed on with the cost written into it. */
import { GatewayError } from '../../errors.ts';
import type { AnswerFacts, CostFields, ReportedError } from '../dialect.ts';
import { JsonScan, replaceMembers, type ScannedObject } from '../json.ts';
import { usageFromChat } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

/** An answer nests as deep as its schema; more is no completion. */
const MAX_ANSWER_DEPTH = 64;

export type ChatAnswer = {
  readonly facts: AnswerFacts;
  /** The answer as it came; null when it is no JSON object. */
  readonly body: ScannedObject | null;
};

/** Never throws: what is no completion is told as an error in the facts. */
export function readChatAnswer(bytes: Uint8Array<ArrayBuffer>): ChatAnswer {
  const read = scan(bytes);
  if (read === null) return failed(null, { message: 'The answer is no JSON object.' });
  const { body, json } = read;
  const { error, choices } = json;
  if (error !== undefined && error !== null) return failed(body, error);
  if (!Array.isArray(choices))
    return failed(body, { message: 'The answer is no chat completion.' });
  const [first] = choices;
  const reason = isObject(first) ? first['finish_reason'] : null;
  return {
    body,
    facts: {
      usage: usageFromChat(json['usage']),
      outputBytes: choices.reduce((sum: number, choice) => sum + outputBytes(choice), 0),
      finishReason: typeof reason === 'string' ? reason : null,
      error: null,
    },
  };
}

/** The same bytes under the catalogue's model id, with what it cost added to its `usage`. */
export function writeChatAnswer(
  { body }: ChatAnswer,
  finish: { readonly model: string; readonly cost: CostFields },
): Uint8Array<ArrayBuffer> {
  if (body === null) throw new Error('an answer that is no JSON object cannot be written');
  const edits = new Map([
    ['model', JSON.stringify(finish.model)],
    ['usage', pricedUsage(body, finish.cost)],
  ]);
  return replaceMembers(body, edits);
}

/** The usage object as it came, with the cost as its last members. */
function pricedUsage(body: ScannedObject, cost: CostFields): string {
  const added = `"cost":${Number(cost.usd)},"cost_exact":"${cost.exact}","cost_currency":"${cost.currency}"`;
  const span = body.members.get('usage');
  const text =
    span === undefined ? '' : new TextDecoder().decode(body.bytes.subarray(span.start, span.end));
  const inside = text.startsWith('{') ? text.slice(1, -1).trim() : '';
  return inside === '' ? `{${added}}` : `{${inside},${added}}`;
}

function scan(bytes: Uint8Array<ArrayBuffer>): { body: ScannedObject; json: Json } | null {
  try {
    const body = new JsonScan({ maxDepth: MAX_ANSWER_DEPTH }).finish(bytes, bytes.byteLength);
    return { body, json: body.parse() };
  } catch (thrown) {
    // HTML from a proxy, or half an answer: told by the facts, since it is no fault of the caller.
    if (thrown instanceof GatewayError) return null;
    throw thrown;
  }
}

const failed = (body: ScannedObject | null, error: unknown): ChatAnswer => ({
  body,
  facts: { usage: null, outputBytes: 0, finishReason: null, error: readReportedError(error) },
});

/** Reads the `error` of a body or an event, whatever shape it has. */
export function readReportedError(error: unknown): ReportedError {
  const fields: Json = isObject(error) ? error : { message: error };
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    type: text(fields['type']),
    code: text(fields['code']),
    message: text(fields['message']) ?? 'The upstream reported an error without a message.',
  };
}

function outputBytes(choice: unknown): number {
  const message = isObject(choice) ? choice['message'] : null;
  if (!isObject(message)) return 0;
  const texts = [message['content'], message['reasoning_content'], message['refusal']];
  const said = texts.reduce((sum: number, text) => sum + lengthOf(text), 0);
  return (
    said +
    (message['tool_calls'] === undefined ? 0 : lengthOf(JSON.stringify(message['tool_calls'])))
  );
}

const lengthOf = (text: unknown): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : 0;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
