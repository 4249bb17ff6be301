/** Tests an upstream with a non-streaming request for one image or one embedding. */
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { asArray, asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import type { Quirks } from '../../protocols/quirks.ts';
import type { Upstream } from '../../upstreams/upstream.ts';
import { readErrorBody } from '../error-body.ts';
import {
  type CheckResult,
  rawOf,
  refusalProblem,
  unansweredCode,
  unansweredProblem,
} from '../upstream-check.ts';
import { readErrorText, refusalOf } from '../upstream-failure.ts';

/** The timeout of a check, long enough for a slow image. */
const TIMEOUT_MS = 120_000;
/** Maximum bytes of an answer: enough for an image of the largest size in base64. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export type GoodsTarget = {
  readonly upstream: Upstream;
  /** The upstream's name for the model. */
  readonly model: string;
  readonly quirks: Pick<Quirks, 'drop'>;
  readonly format: 'images' | 'embeddings';
  /** The configured address; null for the built-in upstream. */
  readonly baseUrl: string | null;
};

/** Tests the upstream. Does not throw, whatever the upstream does. */
export async function checkGoods(
  target: GoodsTarget,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
): Promise<CheckResult> {
  const { format, upstream } = target;
  const startMs = clock.monotonicMs();
  const since = (): number => Math.round(clock.monotonicMs() - startMs);
  const abort = new AbortController();
  const timer = clock.after(TIMEOUT_MS, () =>
    abort.abort(new GatewayError('upstream_timeout', 'The provider did not finish in time.')),
  );
  const nothing = { format, status: null, statusMs: null, firstByteMs: null, usage: null };
  try {
    const response = await upstream.send({
      ...{ format, body: bodyOf(target), stream: false, headers: {}, scope: 'probe' },
      ...{ traceparent: null, connectMs: null, firstByteMs: TIMEOUT_MS },
      signal: abort.signal,
      abort: (reason) => abort.abort(reason),
    });
    const answered = { ...nothing, status: response.status, statusMs: since() };
    if (!response.ok) {
      const text = await readErrorText(response, clock);
      const code = refusalOf(response.status, readErrorBody(text));
      const problem = refusalProblem(code, text, target);
      return { ...answered, dimensions: null, problem, code, raw: rawOf(text, target) };
    }
    const text = await boundedText(response);
    return { ...answered, firstByteMs: since(), ...judged(text, target) };
  } catch (thrown) {
    const { aborted, reason } = abort.signal;
    const cause = aborted ? reason : thrown;
    const problem = unansweredProblem(cause, target);
    return { ...nothing, dimensions: null, problem, code: unansweredCode(cause), raw: null };
  } finally {
    timer.cancel();
    abort.abort();
  }
}

const ASKED: Readonly<Record<GoodsTarget['format'], JsonObject>> = {
  images: { prompt: 'A gray square.', n: 1 },
  embeddings: { input: 'ok', encoding_format: 'float' },
};

function bodyOf({ format, model, quirks }: GoodsTarget): Uint8Array<ArrayBuffer> {
  const sent = Object.entries({ model, ...ASKED[format] }).filter(
    ([field]) => !quirks.drop.includes(field),
  );
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sent)));
}

/** Reads at most about `MAX_ANSWER_BYTES`. A longer answer is truncated and so becomes invalid. */
async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (size > MAX_ANSWER_BYTES) break;
  }
  return text;
}

const WORDS = { images: 'image', embeddings: 'embedding' } as const;

function judged(
  text: string,
  target: GoodsTarget,
): Pick<CheckResult, 'dimensions' | 'problem' | 'code' | 'raw'> {
  const [first] = asArray(parsedObject(text)?.['data']);
  const entry = asJsonObject(first);
  const embedding = entry?.['embedding'];
  if (target.format === 'embeddings' && Array.isArray(embedding) && embedding.length > 0) {
    return { dimensions: embedding.length, problem: null, code: null, raw: null };
  }
  const image = entry?.['b64_json'] ?? entry?.['url'];
  if (target.format === 'images' && typeof image === 'string' && image !== '') {
    return { dimensions: null, problem: null, code: null, raw: null };
  }
  const reported = readErrorBody(text);
  const raw = rawOf(text, target);
  if (reported === null) {
    const problem = `The answer has no ${WORDS[target.format]}. Check base_url, and that this is an ${WORDS[target.format]} model.`;
    return { dimensions: null, problem, code: 'not_an_answer', raw };
  }
  const code = refusalOf(null, reported);
  return { dimensions: null, problem: refusalProblem(code, text, target), code, raw };
}
