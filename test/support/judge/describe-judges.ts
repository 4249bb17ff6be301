/**
 * For tests: compares the streams of a client library with its non-streaming answers. The answer
 * that the library assembles from a stream must equal its non-streaming answer to the same request,
 * and both answers must match the question.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  CHAT_MODELS,
  type ChatModel,
  startTranslatedGateways,
  type TranslatedGateways,
} from '../gateways/translated-gateways.ts';
import type { UpstreamDialect } from '../upstreams/scripted-turns.ts';
import { clientRow, exceptionOf, reachedFrom, type Scenario } from './client-table.ts';
import type { Judge, JudgedAnswer, Question, Target } from './judge.ts';
import { describeScripted } from './judge-scripted.ts';

const BOTH_CALLS = [
  ['get_weather', { city: 'Paris' }],
  ['get_time', { city: 'Paris' }],
] as const;
const BOTH = 'Call get_weather and get_time for Paris';

type Case = {
  readonly scenario: Scenario;
  readonly question: Question;
  readonly expected: (judged: JudgedAnswer, hidesThinking: boolean) => void;
};
const CASES: Readonly<Record<string, Case>> = {
  'plain text': {
    scenario: 'plain',
    question: { prompt: 'Hello there' },
    expected: ({ text, end, calls, thinking }) => {
      expect(text).toContain('Hello there');
      expect([end, calls, thinking]).toEqual(['stop', [], '']);
    },
  },
  thinking: {
    scenario: 'thinking',
    question: { prompt: 'Why is the sky blue?', thinking: true },
    expected: ({ text, end, thinking }, hidesThinking) => {
      expect(text.length).toBeGreaterThan(10);
      expect(thinking.length > 20).toBe(!hidesThinking);
      expect(end).toBe('stop');
    },
  },
  'one tool': {
    scenario: 'tools',
    question: { prompt: 'Use get_weather for Paris', tools: true },
    expected: ({ calls, end }) => expect([calls, end]).toEqual([[BOTH_CALLS[0]], 'calls']),
  },
  'parallel tools': {
    scenario: 'parallel',
    question: { prompt: BOTH, tools: true },
    expected: ({ calls, end }) => expect([calls, end]).toEqual([[...BOTH_CALLS], 'calls']),
  },
  'an image': {
    scenario: 'image',
    question: { prompt: 'What is this?', image: true },
    expected: ({ text }) => expect(text).toContain('image/png'),
  },
  'a file': {
    scenario: 'file',
    question: { prompt: 'What is this?', file: true },
    expected: ({ text }) => expect(text).toContain('application/pdf'),
  },
  'JSON of a schema': {
    scenario: 'schema',
    question: { prompt: 'The name is Ada, the age is 36.', schema: true },
    expected: ({ text }) => expect(JSON.parse(text)).toEqual({ name: 'Ada', age: 36 }),
  },
  'the maximum of tokens': {
    scenario: 'limit',
    question: { prompt: 'Count to 200', maxTokens: 20 },
    expected: ({ end, outputTokens }) => {
      expect(end).toBe('length');
      expect(outputTokens).toBeLessThanOrEqual(20);
    },
  },
  'a stop sequence': {
    scenario: 'plain',
    question: { prompt: 'Count to 30', stop: '13' },
    expected: ({ text, end }) => {
      expect(text).toContain('12');
      expect(text).not.toContain('13');
      expect(end).toBe('stop');
    },
  },
};

/** Whether the model supports the question's input. The `gen-v4` models accept only text. */
const isFor = (model: ChatModel, { image, file }: Question): boolean =>
  !model.startsWith('gen-v4') || (image === undefined && file === undefined);

/** Registers the tests of these libraries, for each combination of model and upstream protocol. */
export function describeJudges(judges: readonly Judge[]): void {
  let gateways: TranslatedGateways;
  const upstreamsOf = ({ client }: Judge) => reachedFrom(clientRow(client).endpoint);
  beforeAll(async () => {
    gateways = await startTranslatedGateways([...new Set(judges.flatMap(upstreamsOf))]);
  });
  afterAll(async () => await gateways[Symbol.asyncDispose]());

  for (const judge of judges)
    for (const upstream of upstreamsOf(judge))
      describe(`${judge.client}, upstream ${upstream}`, () => {
        describe.each([...CHAT_MODELS])('%s', (model) => {
          describeModel({ judge, upstream, model }, () => {
            const { url, key } = gateways.over(upstream);
            return { url, key, model };
          });
        });
      });
  describeScripted(judges);
}

type JudgedModel = {
  readonly judge: Judge;
  readonly upstream: UpstreamDialect;
  readonly model: ChatModel;
};

function describeModel({ judge, upstream, model }: JudgedModel, target: () => Target): void {
  const { endpoint, keepsFirstCount } = clientRow(judge.client);
  const isEstimated = keepsFirstCount === true && upstream === 'chat';
  const hidesThinking = exceptionOf(judge.client, 'thinking', upstream) !== null;
  for (const [name, { scenario, question, expected }] of Object.entries(CASES)) {
    // The Responses API has no stop sequences, so these questions are skipped.
    if (!isFor(model, question) || (question.stop && endpoint === 'responses')) continue;
    const fails = scenario !== 'thinking' && exceptionOf(judge.client, scenario, upstream) !== null;
    if (fails) {
      test(`${name}: the client fails`, async () => {
        await expect(judge.plain(target(), question)).rejects.toThrow();
        await expect(judge.streamed(target(), question)).rejects.toThrow();
      });
      continue;
    }
    test(`${name}: a stream equals the non-streaming answer`, async () => {
      const plain = await judge.plain(target(), question);
      expected(plain, hidesThinking);
      expect(plain.outputTokens).toBeGreaterThan(0);
      const streamed = await judge.streamed(target(), question);
      expect(streamed.inputTokens).toBeGreaterThan(0);
      const { inputTokens } = isEstimated ? streamed : plain;
      expect(streamed).toEqual({ ...plain, inputTokens });
    });
  }

  test('a tool loop of two turns uses the results', async () => {
    const text = await judge.toolLoop(target(), BOTH);
    expect(text).toContain('get_weather says fine');
    expect(text).toContain('get_time says fine');
  });
}
