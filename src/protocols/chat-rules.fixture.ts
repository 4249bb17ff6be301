/**
 * Reads a chat completion stream like a strict client, and reports every rule of the protocol that
 * the stream breaks.
 */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../json/object.ts';

export type ReadCall = { readonly id: string; readonly name: string; readonly arguments: string };

export type ReadChatStream = {
  /** The rules that the stream breaks, as sentences; empty for a valid stream. */
  readonly faults: readonly string[];
  readonly content: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: readonly ReadCall[];
  readonly functionCall: { readonly name: string; readonly arguments: string } | null;
  /** The entries of `reasoning_details` as they were sent. Fragments are not joined. */
  readonly reasoningDetails: readonly unknown[];
  readonly finishReason: string | null;
  readonly usage: JsonObject | null;
};

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];
const MAX_CALLS = 128;

/**
 * Reads a stream.
 * @param text the complete stream, including the closing events. It must have one choice.
 */
export function readChatStream(
  text: string,
  asked: { readonly includeUsage: boolean },
): ReadChatStream {
  const reader = new StreamReader(asked.includeUsage);
  const events = text.split('\n\n');
  if (events.pop() !== '') reader.fault('the last event has no blank line after it');
  if (events.at(-1) !== 'data: [DONE]') reader.fault('the end mark is not last');
  for (const event of events.slice(0, -1)) reader.event(event);
  return reader.end();
}

class StreamReader {
  readonly #includeUsage: boolean;
  readonly #faults: string[] = [];
  #envelope: string | null = null;
  #hasRole = false;
  #content = '';
  #reasoning = '';
  #refusal = '';
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  #functionCall: { name: string; arguments: string } | null = null;
  #details: readonly unknown[] = [];
  #finishReason: string | null = null;
  #usage: JsonObject | null = null;

  constructor(includeUsage: boolean) {
    this.#includeUsage = includeUsage;
  }

  fault(sentence: string): void {
    this.#faults.push(sentence);
  }

  #must(holds: boolean, sentence: string): void {
    if (!holds) this.fault(sentence);
  }

  event(event: string): void {
    if (event.startsWith(':') && !event.includes('\n')) return;
    this.#must(
      /^data: \{[^\n\r]*\}$/.test(event),
      `an event is not one data line of JSON: ${event}`,
    );
    const chunk = asJsonObject(JSON.parse(event.slice('data: '.length))) ?? {};
    const { id, object, created, model, choices } = chunk;
    const envelope = JSON.stringify([id, object, created, model]);
    this.#envelope ??= envelope;
    this.#must(
      envelope === this.#envelope,
      'id, object, created or model changes within the stream',
    );
    this.#must(object === 'chat.completion.chunk', 'object is not chat.completion.chunk');
    this.#must(Number.isInteger(created) && Number(created) < 1e11, 'created is not in seconds');
    this.#must(typeof id === 'string' && id !== '', 'id is not a string');
    this.#must(!('error' in chunk), 'a chunk has an error key');
    this.#must(!('obfuscation' in chunk), 'a chunk has padding');
    this.#must(this.#usage === null, 'a chunk comes after the usage');
    if (!Array.isArray(choices)) this.fault('choices is not an array');
    else if (choices.length === 0) this.#readUsage(chunk);
    else this.#readChoices(choices, chunk);
  }

  end(): ReadChatStream {
    this.#must(this.#finishReason !== null, 'no chunk has a finish reason');
    this.#must(
      this.#includeUsage === (this.#usage !== null),
      'usage was not asked for, or is missing',
    );
    const isWhole = this.#finishReason !== 'length' && this.#finishReason !== 'content_filter';
    for (const { arguments: json } of isWhole ? this.#calls : []) {
      this.#must(isJsonObject(parsed(json)), `arguments are no JSON object: ${json}`);
    }
    const hasCalls = this.#calls.length > 0;
    this.#must(
      !isWhole || hasCalls === (this.#finishReason === 'tool_calls'),
      'tool calls and the finish reason differ',
    );
    return {
      faults: this.#faults,
      content: this.#content,
      reasoning: this.#reasoning,
      refusal: this.#refusal,
      calls: this.#calls,
      functionCall: this.#functionCall,
      reasoningDetails: this.#details,
      finishReason: this.#finishReason,
      usage: this.#usage,
    };
  }

  #readUsage({ usage }: JsonObject): void {
    this.#must(this.#includeUsage, 'a chunk without choices was not asked for');
    this.#must(this.#finishReason !== null, 'the usage comes before the finish reason');
    const counts = asJsonObject(usage);
    this.#must(counts !== null, 'the usage chunk has no usage');
    this.#usage = counts ?? {};
    const {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: total,
    } = this.#usage;
    this.#must(Number(prompt) + Number(completion) === total, 'the total is not the sum');
    const cached = asJsonObject(this.#usage['prompt_tokens_details'])?.['cached_tokens'] ?? 0;
    this.#must(Number(cached) <= Number(prompt), 'more tokens are cached than sent');
  }

  #readChoices(choices: readonly unknown[], chunk: JsonObject): void {
    const usageIsRight = this.#includeUsage ? chunk['usage'] === null : !('usage' in chunk);
    this.#must(usageIsRight, 'usage of an ordinary chunk is neither null nor absent as requested');
    this.#must(choices.length === 1, 'a chunk has several choices');
    const choice = asJsonObject(choices[0]) ?? {};
    this.#must(choice['index'] === 0, 'the index of the choice is not 0');
    this.#must('logprobs' in choice && 'finish_reason' in choice, 'a choice lacks a member');
    this.#must(this.#finishReason === null, 'a chunk comes after the finish reason');
    const delta = asJsonObject(choice['delta']);
    if (delta === null) this.fault('a choice has no delta');
    else this.#readDelta(delta);
    const reason = choice['finish_reason'];
    if (reason === null) return;
    this.#must(FINISH_REASONS.includes(String(reason)), `an unknown finish reason: ${reason}`);
    this.#finishReason = String(reason);
  }

  #readDelta(delta: JsonObject): void {
    if ('role' in delta) {
      this.#must(
        !this.#hasRole && delta['role'] === 'assistant',
        'the role is not sent exactly once',
      );
      this.#hasRole = true;
    }
    this.#must(this.#hasRole, 'the first chunk has no role');
    this.#content += asString(delta['content']) ?? '';
    this.#reasoning += asString(delta['reasoning_content']) ?? '';
    this.#refusal += asString(delta['refusal']) ?? '';
    const { tool_calls: calls, function_call: legacy, reasoning_details: details } = delta;
    if (Array.isArray(calls)) for (const each of calls) this.#readCall(asJsonObject(each) ?? {});
    if (isJsonObject(legacy)) this.#readLegacy(legacy);
    if (!Array.isArray(details)) return;
    this.#must(this.#details.length === 0, 'the reasoning details come twice');
    this.#must(
      details.every((each, at) => asJsonObject(each)?.['index'] === at),
      'a detail has no index',
    );
    this.#details = details;
  }

  #readCall(fragment: JsonObject): void {
    const { index, function: called } = fragment;
    const { name, arguments: json, ...rest } = asJsonObject(called) ?? {};
    this.#must(Object.keys(rest).length === 0, 'a function has unknown members');
    this.#must(typeof json === 'string', 'a fragment of a call has no arguments');
    const open = this.#calls.length - 1;
    if (index === open + 1 && open + 1 < MAX_CALLS) {
      const { id, type } = fragment;
      this.#must(typeof id === 'string' && id !== '', 'a call has no id');
      this.#must(type === 'function', 'a call has no type');
      this.#must(typeof name === 'string' && name !== '', 'a call has no name');
      this.#calls.push({ id: String(id), name: String(name), arguments: asString(json) ?? '' });
      return;
    }
    this.#must(index === open, `a fragment belongs to call ${index}, while ${open} is open`);
    const members = [...Object.keys(fragment), ...Object.keys(asJsonObject(called) ?? {})].sort();
    this.#must(members.join() === 'arguments,function,index', 'a later fragment repeats the call');
    const call = this.#calls[open];
    if (call !== undefined) call.arguments += String(json);
  }

  #readLegacy({ name, arguments: json }: JsonObject): void {
    this.#must(typeof json === 'string', 'a function call has no arguments');
    if (this.#functionCall === null) {
      this.#must(typeof name === 'string' && name !== '', 'a function call has no name');
      this.#functionCall = { name: String(name), arguments: asString(json) ?? '' };
    } else {
      this.#must(name === undefined, 'a function call repeats its name');
      this.#functionCall.arguments += String(json);
    }
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Null means that the text is not JSON. The caller reports that as a broken rule.
    return null;
  }
}
