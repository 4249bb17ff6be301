/** Reads the model's output from a chat message or delta, in any field that servers use. */
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';

/** A tool call, or a fragment of one. */
export type CallFragment = {
  /** The server's number for the call; null if it sends none. */
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** JSON text of the arguments, or only a piece of it. */
  readonly arguments: string;
};

export type ModelOutput = {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly CallFragment[];
};

const NO_CALLS: readonly CallFragment[] = [];

/**
 * Reads the output of a message or a delta. Takes reasoning from the first of `reasoningFields`
 * that has text.
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

/** Returns the number of bytes of all output, from which missing usage is estimated. */
export function outputBytesOf({ reasoning, text, refusal, calls }: ModelOutput): number {
  let bytes = Buffer.byteLength(reasoning) + Buffer.byteLength(text) + Buffer.byteLength(refusal);
  for (const call of calls) bytes += Buffer.byteLength(call.arguments);
  return bytes;
}

/**
 * Maximum UTF-16 units of blank text that are held back. If more were held back, the model would
 * look silent.
 */
const MAX_BLANK_UNITS = 256;

/**
 * Whether text may be held back until words follow, because blank text alone makes no block or
 * message.
 */
export const mayWait = (text: string): boolean =>
  text.trim() === '' && text.length <= MAX_BLANK_UNITS;

const textOrNone = (value: unknown): string => asString(value) ?? '';

function reasoningOf(part: JsonObject, fields: readonly string[]): string {
  const given = fields.map((field) => asFilledString(part[field]));
  return given.find((text) => text !== null) ?? '';
}

/** Joins the text parts of content that is a list, as Mistral sends it. Skips reasoning parts. */
const textIn = (parts: readonly unknown[]): string =>
  parts.map((part) => textOrNone(asJsonObject(part)?.['text'])).join('');

const thoughtIn = (parts: readonly unknown[]): string =>
  parts
    .map((part) => {
      const thinking = asJsonObject(part)?.['thinking'];
      return Array.isArray(thinking) ? textIn(thinking) : textOrNone(thinking);
    })
    .join('');

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
  };
}

/** Returns the arguments as text. Some servers send the object itself, against the protocol. */
const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : isJsonObject(value) ? JSON.stringify(value) : '';

/**
 * Returns the choice with index 0. The upstream was asked for only one, but some servers send more.
 */
export function firstChoice(choices: unknown): JsonObject | null {
  return asJsonObject(
    asArray(choices).find((choice) => (asJsonObject(choice)?.['index'] ?? 0) === 0),
  );
}
