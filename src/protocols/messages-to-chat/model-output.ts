/** Reads what the model wrote from a chat message or a delta, wherever the server puts it. */
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
  /** The server's number for it; null if it sends none. */
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** Possibly only a piece of JSON text. */
  readonly arguments: string;
};

export type ModelOutput = {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly CallFragment[];
};

const NO_CALLS: readonly CallFragment[] = [];

/** @param reasoningFields where the server writes its reasoning: the first with text wins. */
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

/** Bytes of all of it: the base of an estimate when usage is missing. */
export function outputBytesOf({ reasoning, text, refusal, calls }: ModelOutput): number {
  let bytes = Buffer.byteLength(reasoning) + Buffer.byteLength(text) + Buffer.byteLength(refusal);
  for (const call of calls) bytes += Buffer.byteLength(call.arguments);
  return bytes;
}

const textOrNone = (value: unknown): string => asString(value) ?? '';

function reasoningOf(part: JsonObject, fields: readonly string[]): string {
  const given = fields.map((field) => asFilledString(part[field]));
  return given.find((text) => text !== null) ?? '';
}

/** Some servers (Mistral) answer in parts, with reasoning among them. */
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

/** The protocol says a string; some servers send the object itself. */
const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : isJsonObject(value) ? JSON.stringify(value) : '';

/** Only one choice was asked for; if a server sends more, the first counts. */
export function firstChoice(choices: unknown): JsonObject | null {
  return asJsonObject(
    asArray(choices).find((choice) => (asJsonObject(choice)?.['index'] ?? 0) === 0),
  );
}
