import { describe, expect, test } from 'bun:test';
import { JsonScan } from '../../json/scan.ts';
import {
  IN_PROGRESS,
  NO_SETTINGS,
  type RepeatedSettings,
  repeatedSettings,
  responseText,
} from './response-object.ts';

const REQUEST = { requestId: 'req_1', createdSeconds: 1_790_000_000, model: 'm' };

const settingsOf = (body: string): RepeatedSettings => {
  const bytes = new TextEncoder().encode(body);
  return repeatedSettings(new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength));
};
const textOf = (settings: RepeatedSettings): string =>
  responseText(REQUEST, settings, { end: IN_PROGRESS, output: [], usage: 'null', tier: 'default' });

describe('a response', () => {
  test('repeats the settings of its request', () => {
    const settings = {
      max_output_tokens: 100,
      metadata: { topic: 'Überweisung' },
      parallel_tool_calls: false,
      prompt_cache_key: 'thread',
      reasoning: { effort: 'high', summary: 'auto' },
      safety_identifier: 'user_1',
      temperature: 0.5,
      text: { format: { type: 'json_schema', name: 'a', schema: {} }, verbosity: 'low' },
      tool_choice: { type: 'function', name: 'f' },
      top_logprobs: 2,
      top_p: 0.9,
      truncation: 'auto',
      user: 'u',
    };
    const body = JSON.stringify({ model: 'm', input: 'Hi', ...settings });
    expect(JSON.parse(textOf(settingsOf(body)))).toMatchObject(settings);
  });

  test('has the usual value for a setting that is null or missing', () => {
    expect(settingsOf('{"temperature":null,"text":null}')).toBe(NO_SETTINGS);
  });

  test('says that nothing is stored, and repeats neither tools nor instructions', () => {
    const body = '{"store":true,"tools":[{"type":"web_search"}],"instructions":"Be kind."}';
    expect(JSON.parse(textOf(settingsOf(body)))).toMatchObject({
      store: false,
      tools: [],
      instructions: null,
    });
  });

  test('has the usual value for a setting that is too long to repeat', () => {
    const long = JSON.stringify({ a: 'x'.repeat(16_400) });
    expect(settingsOf(`{"metadata":${long}}`)).toBe(NO_SETTINGS);
  });

  test('is one line, however the caller wrote the settings', () => {
    const text = textOf(settingsOf('{"metadata":{\r\n"a":\n"b"}}'));
    expect(text).not.toMatch(/[\r\n]/);
    expect(JSON.parse(text).metadata).toEqual({ a: 'b' });
  });
});
