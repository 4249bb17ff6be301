/** Translates Gemini's turns to chat messages. */
import { asFilledString, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { chatToolName } from '../chat/chat-names.ts';
import {
  type ChatPart,
  contentOf,
  PARAGRAPH,
  textPart,
  toolResult,
} from '../chat/content-parts.ts';
import { invalid, MAX_MESSAGES, missing, unsupportedValue } from '../validation.ts';
import { type CallSignature, fromGoogleSignature } from './call-signature.ts';
import { camel, listAt, member } from './members.ts';

type Writer = Pick<Placeholders, 'stringify'>;

/**
 * Returns the text of content such as `systemInstruction`, which is a string or has text parts.
 * @throws GatewayError
 */
export function textOf(content: unknown, path: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!isJsonObject(content)) throw invalid(path, 'must be an object with parts');
  return listAt(content, 'parts')
    .map((part, at) => {
      const text = isJsonObject(part) ? asString(part['text']) : null;
      if (text === null) throw invalid(`${path}.parts[${at}]`, 'must be a string');
      return text;
    })
    .join(PARAGRAPH);
}

/**
 * How function results without a call are read. Gemini CLI counts the tokens of a result by itself.
 */
export type Orphans = 'refused' | 'as text';

/**
 * Translates all turns to chat messages.
 * @throws GatewayError with the path of a part that cannot be expressed in chat.
 */
export function readContents(
  contents: readonly unknown[],
  writer: Writer,
  orphans: Orphans,
): readonly JsonObject[] {
  if (contents.length === 0) throw invalid('contents', 'must have at least one turn');
  const turns: Turn[] = [];
  for (const [at, content] of contents.entries()) {
    const turn = turnOf(content, `contents[${at}]`);
    const last = turns.at(-1);
    // Google's library sends back a streamed answer as one turn for each event.
    if (turn.isModel && last?.isModel === true)
      for (const part of turn.parts) last.parts.push(part);
    else turns.push(turn);
  }
  if (turns.length > MAX_MESSAGES)
    throw invalid('contents', `must hold at most ${MAX_MESSAGES} entries`);
  const calls = new Calls();
  return turns.flatMap(({ isModel, parts }) =>
    isModel ? [modelMessage(parts, calls, writer)] : userMessages(parts, calls, writer, orphans),
  );
}

type Turn = { readonly isModel: boolean; readonly parts: Placed[] };

function turnOf(content: unknown, path: string): Turn {
  if (!isJsonObject(content)) throw invalid(path, 'must be an object with role and parts');
  const { role = 'user', parts = null } = content;
  if (parts === null) throw invalid(`${path}.parts`, 'must be an array of parts');
  const placed = listAt(content, 'parts').map((part, at): Placed => {
    const place = `${path}.parts[${at}]`;
    if (isJsonObject(part)) return { part, path: place };
    throw invalid(place, 'must be an object');
  });
  if (role !== 'model' && role !== 'user' && role !== 'function')
    throw unsupportedValue(`${path}.role`, 'use user or model');
  return { isModel: role === 'model', parts: placed };
}

type Placed = { readonly part: JsonObject; readonly path: string };

function modelMessage(parts: readonly Placed[], calls: Calls, writer: Writer): JsonObject {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const signed: string[] = [];
  const made: JsonObject[] = [];
  calls.nextTurn();
  for (const { part, path } of parts) {
    const text = asString(part['text']);
    const call = member(part, 'functionCall');
    if (isJsonObject(call)) {
      const { signature, thinking } = signatureOf(part);
      if (thinking !== '') signed.push(thinking);
      made.push(callOf(call, signature, path, calls, writer));
    } else if (text === null && isOnlySignature(part)) continue;
    else if (text === null)
      throw unsupportedValue(path, 'a model turn may contain only text and function calls');
    else (part['thought'] === true ? thoughts : texts).push(text);
  }
  const reasoning = (thoughts.length > 0 ? thoughts : signed).join('');
  return {
    role: 'assistant',
    content: texts.join(''),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(made.length === 0 ? {} : { tool_calls: made }),
  };
}

/** Whether a part has a signature and no content. Google ends some streams with such a part. */
const isOnlySignature = (part: JsonObject): boolean =>
  member(part, 'thoughtSignature') !== undefined &&
  Object.keys(part).every((name) => SIGNATURE_MEMBERS.has(camel(name)));
const SIGNATURE_MEMBERS = new Set(['thoughtSignature', 'thought']);

function signatureOf(part: JsonObject): CallSignature {
  const written = asString(member(part, 'thoughtSignature'));
  return written === null ? { signature: null, thinking: '' } : fromGoogleSignature(written);
}

function callOf(
  call: JsonObject,
  signature: string | null,
  path: string,
  calls: Calls,
  writer: Writer,
) {
  const name = asFilledString(call['name']);
  if (name === null)
    throw missing(`${path}.functionCall.name`, 'it must be the name of the function');
  return {
    id: calls.made(name, asString(call['id'])),
    type: 'function',
    function: { name: chatToolName(name), arguments: writer.stringify(call['args'] ?? {}) },
    ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
  };
}

/**
 * Converts function results to tool messages, followed by one user message with media and texts.
 */
function userMessages(
  parts: readonly Placed[],
  calls: Calls,
  writer: Writer,
  orphans: Orphans,
): JsonObject[] {
  const results: JsonObject[] = [];
  const said: ChatPart[] = [];
  for (const { part, path } of parts) {
    const result = member(part, 'functionResponse');
    if (!isJsonObject(result)) {
      said.push(userPart(part, path));
      continue;
    }
    const { response } = result;
    const media = listAt(result, 'parts').map((each, at) =>
      userPart(isJsonObject(each) ? each : {}, `${path}.functionResponse.parts[${at}]`),
    );
    const given = asString(result['id']);
    const id = calls.answered(asString(result['name']), given);
    const output = [textPart(resultText(response, writer)), ...media];
    const { text, shown } = toolResult(output, id ?? given ?? '');
    if (id !== null) {
      results.push({ role: 'tool', tool_call_id: id, content: text });
      said.push(...shown);
      continue;
    }
    if (orphans === 'as text') {
      said.push(textPart(text), ...shown);
      continue;
    }
    // When Gemini CLI resumes a session, it sends each result twice in the same turn.
    if (!results.some((each) => each['tool_call_id'] === given && each['content'] === text))
      throw invalid(`${path}.functionResponse`, 'must answer a function call of an earlier turn');
  }
  return said.length === 0 ? results : [...results, { role: 'user', content: contentOf(said) }];
}

/** Returns `output` if it is the only member and a string; otherwise all members as JSON. */
function resultText(response: unknown, writer: Writer): string {
  if (!isJsonObject(response)) return writer.stringify(response ?? {});
  const { output } = response;
  return typeof output === 'string' && Object.keys(response).length === 1
    ? output
    : writer.stringify(response);
}

const IMAGE = /^image\//;
/** Maps the media types that Gemini's clients send to chat's audio formats. */
const AUDIO: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
]);
const PDF = 'application/pdf';

function userPart(part: JsonObject, path: string): ChatPart {
  const text = asString(part['text']);
  if (text !== null) return textPart(text);
  const inline = member(part, 'inlineData');
  if (isJsonObject(inline)) return inlinePart(inline, `${path}.inlineData`);
  const file = member(part, 'fileData');
  if (!isJsonObject(file))
    throw unsupportedValue(path, 'use text, inlineData, fileData or functionResponse');
  const url = asString(member(file, 'fileUri'));
  if (url !== null && /^https?:/.test(url) && IMAGE.test(asString(member(file, 'mimeType')) ?? ''))
    return { type: 'image_url', image_url: { url } };
  throw unsupportedValue(`${path}.fileData`, 'send images by URL, and other data as inlineData');
}

function inlinePart(inline: JsonObject, path: string): ChatPart {
  const type = (asString(member(inline, 'mimeType')) ?? '').toLowerCase();
  const data = asString(inline['data']);
  if (data === null) throw missing(`${path}.data`, 'it must be the data in base64');
  const url = `data:${type};base64,${data}`;
  if (IMAGE.test(type)) return { type: 'image_url', image_url: { url } };
  if (type === PDF) return { type: 'file', file: { filename: 'file.pdf', file_data: url } };
  const format = AUDIO.get(type);
  if (format === undefined)
    throw unsupportedValue(`${path}.mimeType`, `use an image, ${PDF}, WAV or MP3`);
  return { type: 'input_audio', input_audio: { data, format } };
}

type Call = { readonly id: string; isAnswered: boolean };
/**
 * Calls with the same name or id, or of one turn, oldest first. Calls before the index `next` are
 * answered.
 */
type Queue = { readonly calls: Call[]; next: number };

/**
 * Matches function results to calls by id. If the call has no such id, matches by name, in order:
 * older clients have no ids, and Gemini CLI gives ids to results of calls that had none. If no call
 * has the name either, matches the calls of the latest turn in order: Semantic Kernel writes names
 * differently in calls and results, and Google only counts them.
 */
class Calls {
  readonly #byId = new Map<string | null, Queue>();
  readonly #byName = new Map<string | null, Queue>();
  #latest: Queue = { calls: [], next: 0 };
  #count = 0;

  /** Begins a turn of the model. */
  nextTurn(): void {
    this.#latest = { calls: [], next: 0 };
  }

  made(name: string, given: string | null): string {
    this.#count += 1;
    const id = given ?? `call_${this.#count}`;
    const call = { id, isAnswered: false };
    append(this.#byId, id, call);
    append(this.#byName, name, call);
    this.#latest.calls.push(call);
    return id;
  }

  /**
   * Marks the call of a result as answered, and returns the call's id. Returns null for a result
   * that belongs to no unanswered call.
   */
  answered(name: string | null, given: string | null): string | null {
    const queue = this.#byId.get(given) ?? this.#byName.get(name) ?? this.#latest;
    while (queue.calls[queue.next]?.isAnswered === true) queue.next += 1;
    const call = queue.calls[queue.next];
    if (call === undefined) return null;
    call.isAnswered = true;
    return call.id;
  }
}

function append(queues: Map<string | null, Queue>, key: string, call: Call): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, { calls: [call], next: 0 });
  else queue.calls.push(call);
}
