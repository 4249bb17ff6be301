/** Reads the model's output from a chat message or delta. Servers use different fields for it. */
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';

/** A complete tool call, or a fragment of a streamed one. */
export type CallFragment = {
  /** The index that the server sends for the call; null if it sends none. */
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** The arguments as JSON text, or a fragment of that text. */
  readonly arguments: string;
  /**
   * Members that the provider added to the call and must get back, such as a signature; null if it
   * added none.
   */
  readonly extra: JsonObject | null;
};

export type ModelOutput = {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly CallFragment[];
};

const NO_CALLS: readonly CallFragment[] = [];

/**
 * Reads the output from a message or delta. Reads reasoning from the first of `reasoningFields`
 * that contains text.
 */
export function readModelOutput(part: JsonObject, reasoningFields: readonly string[]): ModelOutput {
  const { content, refusal } = part;
  const reasoning = reasoningOf(part, reasoningFields);
  const isParts = Array.isArray(content);
  return {
    reasoning: isParts ? reasoning + thoughtIn(content) : reasoning,
    text: isParts ? textIn(content) : textOrNone(content),
    refusal: textOrNone(refusal),
    calls: callsOf(part),
  };
}

/** Returns the number of bytes of all output. Missing usage is estimated from it. */
export function outputBytesOf({ reasoning, text, refusal, calls }: ModelOutput): number {
  let bytes = Buffer.byteLength(reasoning) + Buffer.byteLength(text) + Buffer.byteLength(refusal);
  for (const call of calls) bytes += Buffer.byteLength(call.arguments);
  return bytes;
}

/**
 * Maximum UTF-16 units of blank text that are buffered. If more were buffered, the model would seem
 * to be silent.
 */
const MAX_BLANK_UNITS = 256;

/**
 * Whether text can be buffered until more text follows. Only short blank text can, because blank
 * text alone does not make a block or message.
 */
export const mayWait = (text: string): boolean =>
  text.trim() === '' && text.length <= MAX_BLANK_UNITS;

const textOrNone = (value: unknown): string => asString(value) ?? '';

function reasoningOf(part: JsonObject, fields: readonly string[]): string {
  const given = fields.map((field) => asFilledString(part[field]));
  return given.find((text) => text !== null) ?? '';
}

/**
 * Joins the text parts of content that is an array, as Mistral sends it. Skips parts with
 * reasoning.
 */
export const textIn = (parts: readonly unknown[]): string =>
  parts.map((part) => textOrNone(asJsonObject(part)?.['text'])).join('');

/** Joins the reasoning of content that is an array. */
export const thoughtIn = (parts: readonly unknown[]): string =>
  parts
    .map((part) => {
      const thinking = asJsonObject(part)?.['thinking'];
      return Array.isArray(thinking) ? textIn(thinking) : textOrNone(thinking);
    })
    .join('');

/** The types of parts that `withTextContent` converts. A list with another part is kept. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'thinking']);

/**
 * Converts content that is a list of texts and reasoning, as Mistral sends it, to the two strings
 * that clients join. Returns the same object if there is no such list.
 */
export function withTextContent(part: JsonObject): JsonObject {
  const { content } = part;
  if (!Array.isArray(content)) return part;
  if (!content.every((each) => TEXT_PARTS.has(asJsonObject(each)?.['type']))) return part;
  const thought = thoughtIn(content);
  const reasoning = textOrNone(part['reasoning_content']) + thought;
  return {
    ...part,
    content: textIn(content),
    ...(thought === '' ? {} : { reasoning_content: reasoning }),
  };
}

function callsOf({
  tool_calls: calls,
  function_call: legacy,
}: JsonObject): readonly CallFragment[] {
  if (Array.isArray(calls)) {
    return calls.flatMap((each) => {
      const call = asJsonObject(each);
      return call === null ? [] : [fragment(call, asJsonObject(call['function']) ?? {})];
    });
  }
  return isJsonObject(legacy) ? [fragment({}, legacy)] : NO_CALLS;
}

function fragment(call: JsonObject, definition: JsonObject): CallFragment {
  const { index } = call;
  return {
    index: typeof index === 'number' && Number.isInteger(index) ? index : null,
    id: asFilledString(call['id']),
    name: asFilledString(definition['name']),
    arguments: argumentsText(definition['arguments']),
    extra: asJsonObject(call['extra_content']),
  };
}

/** Returns the arguments as text. Some servers violate the protocol and send an object instead. */
export const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : isJsonObject(value) ? JSON.stringify(value) : '';

/**
 * Returns the choice with index 0. Some servers send more choices, although they were asked for
 * only one.
 */
export function firstChoice(choices: unknown): JsonObject | null {
  return asJsonObject(
    asArray(choices).find((choice) => (asJsonObject(choice)?.['index'] ?? 0) === 0),
  );
}
