/** Adds the events of a chat stream to an answer. All functions are pure. */
import { asCount, asList, asObject, asText, type JsonObject } from '#api/json.ts';
import type { Answer, ToolCall, Usage } from './answer.ts';
import { tokenWeight } from './token-weight.ts';

/**
 * Adds one stream event to an answer.
 * @param nowMs the monotonic time of the event's arrival.
 */
export function withChunk(answer: Answer, chunk: JsonObject, nowMs: number): Answer {
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
 * Adds a chunk to its tool call. The first chunk has the id and name, and each chunk has the index.
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
 * Adds a chunk to its reasoning detail, which has the same index. Texts are joined; other fields
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
