/**
 * For tests: a client library as the judge of streams. The answer that its stream helper assembles
 * must equal its non-streaming answer to the same request, and both must match the question.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  CHAT_MODELS,
  type ChatModel,
  startTranslatedGateways,
  type TranslatedGateways,
  UPSTREAM_DIALECTS,
  type UpstreamDialect,
} from '../gateways/translated-gateways.ts';

/** A request, independent of the protocol. Omitted fields are not sent. */
export type Question = {
  readonly prompt: string;
  readonly thinking?: true;
  readonly tools?: true;
  readonly image?: true;
  readonly file?: true;
  /** Requires an answer in JSON that matches `PERSON_SCHEMA`. */
  readonly schema?: true;
  readonly maxTokens?: number;
  readonly stop?: string;
};

/** A library's answer, independent of the protocol. */
export type JudgedAnswer = {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  readonly end: 'stop' | 'length' | 'calls' | 'other';
  readonly inputTokens: number;
  readonly outputTokens: number;
};

export type Target = { readonly url: string; readonly key: string; readonly model: ChatModel };
export type Judge = {
  readonly name: string;
  readonly endpoint: 'chat' | 'messages';
  /** Whether the library exposes thinking at all. */
  readonly showsThinking: boolean;
  /**
   * Whether the library keeps the input tokens from the start of a Messages stream. With a chat
   * completions upstream they are an estimate, because it reports usage only at the end.
   */
  readonly keepsFirstCount: boolean;
  readonly plain: (target: Target, question: Question) => Promise<JudgedAnswer>;
  readonly streamed: (target: Target, question: Question) => Promise<JudgedAnswer>;
  /**
   * Sends a prompt with both tools, answers each call with `NAME says fine`, and sends back the
   * history as the library builds it, including thinking if the library keeps it. All requests are
   * streams.
   * @returns the text of the last turn.
   */
  readonly toolLoop: (target: Target, prompt: string) => Promise<string>;
};

export const PERSON_SCHEMA = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, age: { type: 'integer' as const } },
  required: ['name', 'age'],
  additionalProperties: false as const,
};
/** The smallest file that passes as a PDF, in base64. */
export const SMALL_PDF = Buffer.from('%PDF-1.7').toString('base64');
export const MAX_TOKENS = 4096;

const BOTH_CALLS = [
  ['get_weather', { city: 'Paris' }],
  ['get_time', { city: 'Paris' }],
] as const;
const BOTH = 'Call get_weather and get_time for Paris';

type Case = {
  readonly question: Question;
  readonly expected: (judged: JudgedAnswer, judge: Judge) => void;
};
const CASES: Readonly<Record<string, Case>> = {
  'plain text': {
    question: { prompt: 'Hello there' },
    expected: ({ text, end, calls, thinking }) => {
      expect(text).toContain('Hello there');
      expect([end, calls, thinking]).toEqual(['stop', [], '']);
    },
  },
  thinking: {
    question: { prompt: 'Why is the sky blue?', thinking: true },
    expected: ({ text, end, thinking }, { showsThinking }) => {
      expect(text.length).toBeGreaterThan(10);
      expect(thinking.length > 20).toBe(showsThinking);
      expect(end).toBe('stop');
    },
  },
  'one tool': {
    question: { prompt: 'Use get_weather for Paris', tools: true },
    expected: ({ calls, end }) => expect([calls, end]).toEqual([[BOTH_CALLS[0]], 'calls']),
  },
  'parallel tools': {
    question: { prompt: BOTH, tools: true },
    expected: ({ calls, end }) => expect([calls, end]).toEqual([[...BOTH_CALLS], 'calls']),
  },
  'an image': {
    question: { prompt: 'What is this?', image: true },
    expected: ({ text }) => expect(text).toContain('image/png'),
  },
  'a file': {
    question: { prompt: 'What is this?', file: true },
    expected: ({ text }) => expect(text).toContain('application/pdf'),
  },
  'JSON of a schema': {
    question: { prompt: 'The name is Ada, the age is 36.', schema: true },
    expected: ({ text }) => expect(JSON.parse(text)).toEqual({ name: 'Ada', age: 36 }),
  },
  'the maximum of tokens': {
    question: { prompt: 'Count to 200', maxTokens: 20 },
    expected: ({ end, outputTokens }) => {
      expect(end).toBe('length');
      expect(outputTokens).toBeLessThanOrEqual(20);
    },
  },
  'a stop sequence': {
    question: { prompt: 'Count to 30', stop: '13' },
    expected: ({ text, end }) => {
      expect(text).toContain('12');
      expect(text).not.toContain('13');
      expect(end).toBe('stop');
    },
  },
};

/** Whether the model can answer the question: the `gen-v4` models accept text only. */
const isFor = (model: ChatModel, { image, file }: Question): boolean =>
  !model.startsWith('gen-v4') || (image === undefined && file === undefined);

/** Registers the tests of these judges: every model, with each upstream protocol. */
export function describeJudges(judges: readonly Judge[]): void {
  let gateways: TranslatedGateways;
  beforeAll(async () => {
    gateways = await startTranslatedGateways();
  });
  afterAll(async () => await gateways[Symbol.asyncDispose]());

  for (const judge of judges)
    for (const upstream of UPSTREAM_DIALECTS)
      describe(`${judge.name} at ${judge.endpoint}, upstream ${upstream}`, () => {
        describe.each([...CHAT_MODELS])('%s', (model) => {
          describeModel({ judge, upstream, model }, () => targetOf(gateways, upstream, model));
        });
      });
}

const targetOf = (
  gateways: TranslatedGateways,
  upstream: UpstreamDialect,
  model: ChatModel,
): Target => ({ url: gateways[upstream].url, key: gateways[upstream].key, model });

type JudgedModel = {
  readonly judge: Judge;
  readonly upstream: UpstreamDialect;
  readonly model: ChatModel;
};

function describeModel({ judge, upstream, model }: JudgedModel, target: () => Target): void {
  const isEstimated = judge.keepsFirstCount && upstream === 'chat';
  for (const [name, { question, expected }] of Object.entries(CASES)) {
    if (!isFor(model, question)) continue;
    test(`${name}: a stream equals the non-streaming answer`, async () => {
      const plain = await judge.plain(target(), question);
      expected(plain, judge);
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
