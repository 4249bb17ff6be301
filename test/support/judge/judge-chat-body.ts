/**
 * For tests: converts a question to the body of a chat completions request, and an answer to a
 * `JudgedAnswer`.
 */

import { PIXEL_PNG, TIME_TOOL, WEATHER_TOOL } from '../samples.ts';
import { at, listAt } from '../wire.ts';
import { type JudgedAnswer, MAX_TOKENS, PERSON_SCHEMA, type Question, SMALL_PDF } from './judge.ts';

export const CHAT_TOOLS = [WEATHER_TOOL, TIME_TOOL];

const PICTURE = {
  type: 'image_url' as const,
  image_url: { url: `data:image/png;base64,${PIXEL_PNG}` },
};
const DOCUMENT = {
  type: 'file' as const,
  file: { filename: 'notes.pdf', file_data: `data:application/pdf;base64,${SMALL_PDF}` },
};
const PERSON_FORMAT = {
  type: 'json_schema' as const,
  json_schema: { name: 'person', strict: true, schema: PERSON_SCHEMA },
};

export function chatBody(model: string, question: Question) {
  const { prompt, thinking, tools, image, file, schema, stop } = question;
  const parts = [
    { type: 'text' as const, text: prompt },
    ...(image ? [PICTURE] : []),
    ...(file ? [DOCUMENT] : []),
  ];
  return {
    model,
    messages: [{ role: 'user' as const, content: parts }],
    max_completion_tokens: question.maxTokens ?? MAX_TOKENS,
    ...(thinking ? { reasoning_effort: 'high' as const } : {}),
    ...(tools ? { tools: CHAT_TOOLS } : {}),
    ...(schema ? { response_format: PERSON_FORMAT } : {}),
    ...(stop === undefined ? {} : { stop: [stop] }),
  };
}

const ENDS: Readonly<Record<string, JudgedAnswer['end']>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'calls',
};

/**
 * Converts a chat completion.
 * @param completion a complete chat completion, as the library under test returns it.
 */
export function judgedChat(completion: unknown): JudgedAnswer {
  const calls = at(completion, 'choices.0.message.tool_calls');
  return {
    text: String(at(completion, 'choices.0.message.content') ?? ''),
    thinking: String(at(completion, 'choices.0.message.reasoning_content') ?? ''),
    calls: (Array.isArray(calls) ? listAt({ calls }, 'calls') : []).map((call) => [
      String(at(call, 'function.name')),
      JSON.parse(String(at(call, 'function.arguments'))),
    ]),
    end: ENDS[String(at(completion, 'choices.0.finish_reason'))] ?? 'other',
    inputTokens: Number(at(completion, 'usage.prompt_tokens')),
    outputTokens: Number(at(completion, 'usage.completion_tokens')),
  };
}
