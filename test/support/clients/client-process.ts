/**
 * For tests: a client library that is tested in another process. The program reads one question per
 * line from its standard input and writes one answer per line to its standard output.
 */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ClientName } from '../judge/client-table.ts';
import {
  type Judge,
  type JudgedAnswer,
  MAX_TOKENS,
  PERSON_SCHEMA,
  type Question,
  SMALL_PDF,
  type Target,
} from '../judge/judge.ts';
import { CITY_SCHEMA, PIXEL_PNG } from '../samples.ts';
import { at } from '../wire.ts';

/** Samples that are sent with each question, so that the programs contain no copies of them. */
const SAMPLES = {
  maxTokens: MAX_TOKENS,
  image: `data:image/png;base64,${PIXEL_PNG}`,
  file: `data:application/pdf;base64,${SMALL_PDF}`,
  schema: PERSON_SCHEMA,
  tools: [
    { name: 'get_weather', description: 'The weather in a city', parameters: CITY_SCHEMA },
    { name: 'get_time', description: 'The time of day in a city', parameters: CITY_SCHEMA },
  ],
};

/** An error that the library threw, with the HTTP status that it reported. */
class ClientFailure extends Error {
  readonly status: number | null;
  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

export type ClientProcess = {
  readonly judge: (client: ClientName) => Judge;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

type Launch = {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Returns a client. Its program starts when the first question is asked. */
export function clientProcess(launch: () => Promise<Launch>): ClientProcess {
  const started = lazy(async () => {
    const { command, cwd, env } = await launch();
    const child = Bun.spawn([...command], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const lines = createInterface({ input: Readable.from(child.stdout) });
    return { child, lines: lines[Symbol.asyncIterator]() };
  });
  const ask = async (client: ClientName, act: string, target: Target, question: Question) => {
    const { child, lines } = await started();
    const request = { client, act, target, question, samples: SAMPLES };
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the client process ended with ${await child.exited}`);
    const reply: unknown = JSON.parse(value);
    const failure = at(reply, 'failure');
    if (failure === undefined) return at(reply, 'answer');
    const status = Number(at(failure, 'status') ?? 0);
    throw new ClientFailure(String(at(failure, 'message')), status === 0 ? null : status);
  };
  return {
    judge: (client) => ({
      client,
      plain: async (target, question) => judgedAnswer(await ask(client, 'plain', target, question)),
      streamed: async (target, question) =>
        judgedAnswer(await ask(client, 'streamed', target, question)),
      toolLoop: async (target, prompt) => {
        const question = { prompt, thinking: true, tools: true } as const;
        return String(at(await ask(client, 'loop', target, question), 'text'));
      },
    }),
    [Symbol.asyncDispose]: async () => {
      const { child } = await started();
      child.kill();
      await child.exited;
    },
  };
}

function lazy<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

const ENDS: readonly JudgedAnswer['end'][] = ['stop', 'length', 'calls'];

function judgedAnswer(answer: unknown): JudgedAnswer {
  const calls = at(answer, 'calls');
  return {
    text: String(at(answer, 'text')),
    thinking: String(at(answer, 'thinking')),
    calls: (Array.isArray(calls) ? calls : []).map((call) => [
      String(at(call, '0')),
      at(call, '1'),
    ]),
    end: ENDS.find((end) => end === at(answer, 'end')) ?? 'other',
    inputTokens: Number(at(answer, 'inputTokens')),
    outputTokens: Number(at(answer, 'outputTokens')),
  };
}
