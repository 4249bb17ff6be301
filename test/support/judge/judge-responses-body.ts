/**
 * For tests: converts a question to the body of a Responses request, and an answer to a
 * `JudgedAnswer`.
 */

import { CITY_SCHEMA, PIXEL_PNG } from '../samples.ts';
import { at, listAt } from '../wire.ts';
import { type JudgedAnswer, MAX_TOKENS, PERSON_SCHEMA, type Question, SMALL_PDF } from './judge.ts';

const responsesTool = (name: string, description: string) => ({
  type: 'function' as const,
  name,
  description,
  parameters: CITY_SCHEMA,
  strict: false,
});
export const RESPONSES_TOOLS = [
  responsesTool('get_weather', 'The weather in a city'),
  responsesTool('get_time', 'The time of day in a city'),
];

const PICTURE = {
  type: 'input_image' as const,
  image_url: `data:image/png;base64,${PIXEL_PNG}`,
  detail: 'auto' as const,
};
const DOCUMENT = {
  type: 'input_file' as const,
  filename: 'notes.pdf',
  file_data: `data:application/pdf;base64,${SMALL_PDF}`,
};
const PERSON_FORMAT = {
  type: 'json_schema' as const,
  name: 'person',
  strict: true,
  schema: PERSON_SCHEMA,
};
const THINKING = { effort: 'high' as const, summary: 'auto' as const };

export function responsesBody(model: string, question: Question) {
  const { prompt, thinking, tools, image, file, schema } = question;
  const content = [
    { type: 'input_text' as const, text: prompt },
    ...(image ? [PICTURE] : []),
    ...(file ? [DOCUMENT] : []),
  ];
  return {
    model,
    store: false,
    input: [{ role: 'user' as const, content }],
    max_output_tokens: question.maxTokens ?? MAX_TOKENS,
    ...(thinking ? { reasoning: THINKING } : {}),
    ...(tools ? { tools: RESPONSES_TOOLS } : {}),
    ...(schema ? { text: { format: PERSON_FORMAT } } : {}),
  };
}

/**
 * Converts a response.
 * @param response a complete response, as the library under test returns it.
 */
export function judgedResponse(response: unknown): JudgedAnswer {
  const output = listAt(response, 'output');
  const textsOf = (type: string, parts: string): string =>
    output
      .filter((item) => at(item, 'type') === type)
      .flatMap((item) => listAt(item, parts))
      .map((part) => String(at(part, 'text') ?? ''))
      .join('');
  const calls = output.filter((item) => at(item, 'type') === 'function_call');
  return {
    text: textsOf('message', 'content'),
    thinking: textsOf('reasoning', 'summary'),
    calls: calls.map((call) => [
      String(at(call, 'name')),
      JSON.parse(String(at(call, 'arguments'))),
    ]),
    end: endOf(response, calls.length > 0),
    inputTokens: Number(at(response, 'usage.input_tokens')),
    outputTokens: Number(at(response, 'usage.output_tokens')),
  };
}

function endOf(response: unknown, hasCalls: boolean): JudgedAnswer['end'] {
  const status = at(response, 'status');
  if (status === 'incomplete')
    return at(response, 'incomplete_details.reason') === 'max_output_tokens' ? 'length' : 'other';
  if (status !== 'completed') return 'other';
  return hasCalls ? 'calls' : 'stop';
}
