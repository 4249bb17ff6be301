/**
 * For tests: converts a question to the body of a Messages request, and an answer to a
 * `JudgedAnswer`.
 */

import { PIXEL_PNG, TIME_MESSAGES_TOOL, WEATHER_MESSAGES_TOOL } from '../samples.ts';
import { at, listAt } from '../wire.ts';
import { type JudgedAnswer, MAX_TOKENS, PERSON_SCHEMA, type Question, SMALL_PDF } from './judge.ts';

export const MESSAGES_TOOLS = [WEATHER_MESSAGES_TOOL, TIME_MESSAGES_TOOL];
const THINKING_BUDGET = 2048;

const PICTURE = {
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL_PNG },
};
const DOCUMENT = {
  type: 'document' as const,
  title: 'notes.pdf',
  source: { type: 'base64' as const, media_type: 'application/pdf' as const, data: SMALL_PDF },
};
const THINKING = { type: 'enabled' as const, budget_tokens: THINKING_BUDGET };
const PERSON_FORMAT = { type: 'json_schema' as const, schema: PERSON_SCHEMA };

export function messagesBody(model: string, question: Question) {
  const { prompt, thinking, tools, image, file, schema, stop } = question;
  const parts = [
    ...(image ? [PICTURE] : []),
    ...(file ? [DOCUMENT] : []),
    { type: 'text' as const, text: prompt },
  ];
  return {
    model,
    messages: [{ role: 'user' as const, content: parts }],
    max_tokens: question.maxTokens ?? MAX_TOKENS,
    ...(thinking ? { thinking: THINKING } : {}),
    ...(tools ? { tools: MESSAGES_TOOLS } : {}),
    ...(schema ? { output_config: { format: PERSON_FORMAT } } : {}),
    ...(stop === undefined ? {} : { stop_sequences: [stop] }),
  };
}

/**
 * Maps stop reasons. A stop sequence counts as a natural end, because chat completions does not
 * distinguish the two.
 */
const ENDS: Readonly<Record<string, JudgedAnswer['end']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'calls',
};

/** Converts a message. @param message a complete message, as the library under test returns it. */
export function judgedMessage(message: unknown): JudgedAnswer {
  const blocks = listAt(message, 'content');
  const ofType = (type: string): readonly unknown[] =>
    blocks.filter((block) => at(block, 'type') === type);
  return {
    text: ofType('text')
      .map((block) => at(block, 'text'))
      .join(''),
    thinking: ofType('thinking')
      .map((block) => at(block, 'thinking'))
      .join(''),
    calls: ofType('tool_use').map((block) => [String(at(block, 'name')), at(block, 'input')]),
    end: ENDS[String(at(message, 'stop_reason'))] ?? 'other',
    inputTokens: Number(at(message, 'usage.input_tokens')),
    outputTokens: Number(at(message, 'usage.output_tokens')),
  };
}
