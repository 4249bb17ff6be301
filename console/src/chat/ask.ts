/**
 * Sends one playground request and reports its answer step by step. Errors are not thrown: the last
 * phase of the answer describes them.
 */
import { ApiError } from '#api/api-error.ts';
import { parseObject } from '#api/json.ts';
import { type Answer, type Asked, newAnswer, type Problem } from './answer.ts';
import { withChunk } from './chunk.ts';
import { EventStream } from './event-stream.ts';

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
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
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

/** Cancels the rest of the stream after a problem, and returns the problem. */
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
  // A RangeError reports an event that is too large. Otherwise the connection broke.
  return { kind: thrown instanceof RangeError ? 'unreadable' : 'cut' };
}
