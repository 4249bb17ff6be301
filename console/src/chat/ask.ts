/**
 * Sends one playground request and reports each change of its answer. Does not throw errors: the
 * final phase of the answer describes them.
 */
import { ApiError } from '#api/api-error.ts';
import { asCount, asList, asObject, asText, type JsonObject, parseObject } from '#api/json.ts';
import { shownAccount } from '#api/shown-account.ts';
import {
  type Answer,
  type Asked,
  newAnswer,
  type Problem,
  type ToolCall,
  type Usage,
} from './answer.ts';
import { EventStream } from './event-stream.ts';
import { tokenWeight } from './token-weight.ts';

const PATH = '/console/api/chat/completions';
const END_MARK = '[DONE]';

export type AskDeps = {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** The current time in monotonic milliseconds. */
  readonly nowMs: () => number;
};

export type Ask = {
  readonly body: object;
  readonly asked: Omit<Asked, 'sentMs'>;
  /** The signal that is aborted when the person stops the answer. */
  readonly signal: AbortSignal;
  readonly onChange: (answer: Answer) => void;
};

/**
 * Sends a request and reports each change of its answer.
 * @returns the answer in its final phase.
 */
export async function ask(deps: AskDeps, { body, asked, signal, onChange }: Ask): Promise<Answer> {
  let answer = newAnswer({ ...asked, sentMs: deps.nowMs() });
  const update = (next: Answer): void => {
    answer = next;
    onChange(answer);
  };
  update(answer);
  let ended: Partial<Answer>;
  try {
    const response = await post(deps, body, signal);
    update({ ...answer, ...servedBy(response) });
    if (!response.ok) throw ApiError.of(response, parseObject(await response.text()));
    ended = await follow(response, (chunk) => update(withChunk(answer, chunk, deps.nowMs())));
  } catch (thrown) {
    ended = signal.aborted ? { phase: 'stopped' } : failed(problemOf(thrown));
  }
  update({ ...answer, ...ended });
  return answer;
}

async function post({ fetch }: AskDeps, body: object, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(PATH, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        ...shownAccount(),
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify(body),
      signal,
    });
  } catch (thrown) {
    throw ApiError.unreachable(thrown);
  }
}

const servedBy = ({ headers }: Response): Partial<Answer> => ({
  requestId: headers.get('x-request-id'),
  channel: headers.get('x-channel'),
});

/** Reads the stream until the end marker, an error or the end of the connection. */
async function follow(
  response: Response,
  onChunk: (chunk: NonNullable<ReturnType<typeof parseObject>>) => void,
): Promise<Partial<Answer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return failed({ kind: 'unreadable' });
  const stream = new EventStream();
  for (;;) {
    const { done, value } = await reader.read();
    for (const data of done ? stream.end() : stream.push(value)) {
      if (data === END_MARK) return { phase: 'done' };
      const chunk = parseObject(data);
      if (chunk === null) return await leave(reader, { kind: 'unreadable' });
      if ('error' in chunk) {
        return await leave(reader, { kind: 'api', error: ApiError.of(response, chunk) });
      }
      onChunk(chunk);
    }
    if (done) return failed({ kind: 'cut' });
  }
}

/** Cancels the rest of the stream after a problem, and returns the failed phase of the answer. */
async function leave(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  problem: Problem,
): Promise<Partial<Answer>> {
  await reader.cancel();
  return failed(problem);
}

const failed = (problem: Problem): Partial<Answer> => ({ phase: 'failed', problem });

function problemOf(thrown: unknown): Problem {
  if (thrown instanceof ApiError) return { kind: 'api', error: thrown };
  // A RangeError means that an event was too large. Any other error means that the connection
  // broke.
  return { kind: thrown instanceof RangeError ? 'unreadable' : 'cut' };
}

/**
 * Adds one stream event to an answer.
 * @param nowMs the monotonic time of the event's arrival.
 */
function withChunk(answer: Answer, chunk: JsonObject, nowMs: number): Answer {
  const [choice] = asList(chunk['choices']).map(asObject);
  const delta = asObject(choice?.['delta']) ?? {};
  const usage = usageOf(chunk['usage']) ?? answer.usage;
  const finishReason = asText(choice?.['finish_reason']) || answer.finishReason;
  const written = withDelta(answer, delta);
  if (written.weight === answer.weight) return { ...written, usage, finishReason };
  return {
    ...written,
    usage,
    finishReason,
    phase: 'streaming',
    firstMs: answer.firstMs ?? nowMs,
    lastMs: nowMs,
  };
}

function withDelta(answer: Answer, delta: JsonObject): Answer {
  const text = asText(delta['content']);
  // Servers use either of these two names for the reasoning text.
  const reasoning = asText(delta['reasoning_content']) || asText(delta['reasoning']);
  const refusal = asText(delta['refusal']);
  const calls = asList(delta['tool_calls'])
    .map(asObject)
    .filter((call) => call !== null);
  const input = calls.map(inputOf).join('');
  return {
    ...answer,
    text: answer.text + text,
    reasoning: answer.reasoning + reasoning,
    refusal: answer.refusal + refusal,
    toolCalls: calls.reduce(withCall, answer.toolCalls),
    reasoningDetails: asList(delta['reasoning_details']).reduce<readonly JsonObject[]>(
      withDetail,
      answer.reasoningDetails,
    ),
    weight: answer.weight + tokenWeight(text + reasoning + refusal + input),
  };
}

const inputOf = (call: JsonObject): string =>
  asText(asObject(call['function'])?.['arguments']) || asText(asObject(call['custom'])?.['input']);

/**
 * Adds a chunk of a tool call to the call with the same index. Only the first chunk has the id and
 * the name.
 */
function withCall(calls: readonly ToolCall[], piece: JsonObject): readonly ToolCall[] {
  const index = typeof piece['index'] === 'number' ? piece['index'] : calls.length;
  const name =
    asText(asObject(piece['function'])?.['name']) || asText(asObject(piece['custom'])?.['name']);
  const known = calls[index];
  const call: ToolCall =
    known === undefined
      ? {
          id: asText(piece['id']),
          type: piece['custom'] === undefined ? 'function' : 'custom',
          name,
          input: inputOf(piece),
        }
      : {
          ...known,
          id: known.id || asText(piece['id']),
          name: known.name || name,
          input: known.input + inputOf(piece),
        };
  return index < calls.length ? calls.with(index, call) : [...calls, call];
}

/**
 * Adds a chunk to the reasoning detail with the same index. Texts are concatenated; other fields
 * arrive only once.
 */
function withDetail(details: readonly JsonObject[], piece: unknown): readonly JsonObject[] {
  const detail = asObject(piece);
  if (detail === null) return details;
  const at = details.findIndex(
    ({ index, type }) =>
      index !== undefined && index === detail['index'] && type === detail['type'],
  );
  const known = details[at];
  if (known === undefined) return [...details, detail];
  const joined = Object.fromEntries(
    ['text', 'summary', 'data', 'signature'].flatMap((name) =>
      typeof detail[name] === 'string' ? [[name, asText(known[name]) + detail[name]]] : [],
    ),
  );
  return details.with(at, { ...known, ...detail, ...joined });
}

function usageOf(value: unknown): Usage | null {
  const usage = asObject(value);
  if (usage === null) return null;
  const prompt = asObject(usage['prompt_tokens_details']) ?? {};
  const completion = asObject(usage['completion_tokens_details']) ?? {};
  const { cost_exact: amount, cost_currency: currency } = usage;
  return {
    input: asCount(usage['prompt_tokens']),
    cached: asCount(prompt['cached_tokens']),
    cacheWrite: asCount(prompt['cache_write_tokens']),
    output: asCount(usage['completion_tokens']),
    reasoning: asCount(completion['reasoning_tokens']),
    cost: typeof amount === 'string' && typeof currency === 'string' ? { amount, currency } : null,
  };
}
