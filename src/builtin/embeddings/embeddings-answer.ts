/**
 * The built-in embedding model. Equal inputs get equal embeddings, and similar texts get similar
 * embeddings.
 */
import { nextTurn } from '../../clock.ts';
import { Fields } from '../body-fields.ts';
import { invalid, RequestError } from '../request-error.ts';
import { countTokens } from '../tokenizer.ts';
import { textVector, tokensVector, VECTOR_LENGTH } from './text-vector.ts';

const MAX_INPUTS = 2048;
const MAX_INPUT_TOKENS = 8192;
const MAX_TOTAL_TOKENS = 300_000;
/** After this many tokens, a few milliseconds of work, the computation yields to the event loop. */
const TOKENS_PER_TURN = 4096;

type Input = string | readonly number[];

/**
 * Answers with one embedding per input.
 * @throws RequestError, or the signal's reason when the signal is aborted.
 */
export async function answerEmbeddings(
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Response> {
  const fields = Fields.of(body, '');
  const inputs = inputsIn(body['input']);
  const length = fields.integer('dimensions', { min: 1, max: VECTOR_LENGTH }) ?? VECTOR_LENGTH;
  const encoding = fields.oneOf('encoding_format', ['float', 'base64']) ?? 'float';
  const counts = inputs.map((each) => (typeof each === 'string' ? countTokens(each) : each.length));
  const total = checkedTotal(counts);
  const data: unknown[] = [];
  let sinceTurn = 0;
  for (const [index, input] of inputs.entries()) {
    const vector =
      typeof input === 'string' ? textVector(input, length) : tokensVector(input, length);
    const embedding =
      encoding === 'float' ? Array.from(vector) : new Uint8Array(vector.buffer).toBase64();
    data.push({ object: 'embedding', index, embedding });
    sinceTurn += counts[index] ?? 0;
    if (sinceTurn < TOKENS_PER_TURN) continue;
    sinceTurn = 0;
    await nextTurn();
    signal.throwIfAborted();
  }
  const usage = { prompt_tokens: total, total_tokens: total };
  return Response.json({ object: 'list', data, model: fields.string('model') ?? '', usage });
}

function inputsIn(input: unknown): readonly Input[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input)) throw invalid('input', 'Expected a string or an array.');
  if (input.every((each) => typeof each === 'number')) return [input];
  if (input.length > MAX_INPUTS) throw invalid('input', `Expected at most ${MAX_INPUTS} inputs.`);
  return input;
}

/** @throws RequestError if one input, or all inputs together, have too many tokens. */
function checkedTotal(counts: readonly number[]): number {
  let total = 0;
  for (const [index, count] of counts.entries()) {
    if (count > MAX_INPUT_TOKENS) throw tooLong(`input[${index}]`, count, MAX_INPUT_TOKENS);
    total += count;
  }
  if (total > MAX_TOTAL_TOKENS) throw tooLong('input', total, MAX_TOTAL_TOKENS);
  return total;
}

const tooLong = (param: string, count: number, most: number): RequestError =>
  new RequestError(
    'context_length_exceeded',
    param,
    `The input has ${count} tokens; the maximum is ${most}.`,
  );
