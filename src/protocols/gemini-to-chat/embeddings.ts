/**
 * Translates Gemini's embedding requests (`embedContent` and `batchEmbedContents`) to requests of
 * OpenAI's embeddings, and the answers back.
 */
import { asArray, asJsonObject, isJsonObject, parsedObject } from '../../json/object.ts';
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { invalid, missing } from '../validation.ts';
import { costMembers } from './answer.ts';
import { textOf } from './contents.ts';
import { at, listAt, member, onlyMembers } from './members.ts';

/** The purpose and the title of a text only have an effect at Google. */
const WITHOUT_EFFECT = ['model', 'taskType', 'title'];
const ONE = ['content', 'outputDimensionality', ...WITHOUT_EFFECT];

/**
 * Translates a request.
 * @param isBatch whether it has `requests`, each with a text; otherwise it has one text itself.
 * @throws GatewayError with the path of a wrong value.
 */
export function readGeminiEmbeddings(
  body: ScannedObject,
  model: string,
  isBatch: boolean,
): Uint8Array<ArrayBuffer> {
  const placeholders = parseWithPlaceholders(body);
  const { json } = placeholders;
  const { provider, ...own } = json;
  if (isBatch) onlyMembers(own, ['model', 'requests'], '');
  const requests = isBatch ? listAt(own, 'requests') : [own];
  if (requests.length === 0) throw missing('requests', 'it must be an array of texts to embed');
  const read = requests.map((each, index) => readOne(each, isBatch ? `requests[${index}]` : ''));
  const [{ dimensions } = { dimensions: null }] = read;
  const other = read.findIndex((each) => each.dimensions !== dimensions);
  if (other > 0)
    throw invalid(`requests[${other}].outputDimensionality`, 'must be the same in all requests');
  const texts = read.map(({ text }) => text);
  return placeholders.encode({
    model,
    input: isBatch ? texts : texts[0],
    ...(dimensions === null ? {} : { dimensions }),
    ...(provider === undefined ? {} : { provider }),
  });
}

function readOne(request: unknown, path: string): { text: string; dimensions: unknown } {
  if (!isJsonObject(request)) throw invalid(path, 'must be an object with content');
  onlyMembers(request, ONE, path);
  const content = member(request, 'content');
  if (content === undefined) throw missing(at(path, 'content'), 'it must have the text to embed');
  const dimensions = member(request, 'outputDimensionality') ?? null;
  return { text: textOf(content, at(path, 'content')), dimensions };
}

/** Matches the numbers of an embedding in an answer. */
const NUMBERS = /(?<="embedding"\s*:\s*)\[[^\]]*\]/g;

/**
 * Converts an answer of OpenAI's embeddings, as JSON, to the answer of the Gemini method. The
 * numbers are copied as text, because there may be millions of them.
 */
export function geminiEmbeddings(text: string, isBatch: boolean): string {
  const numbers: string[] = [];
  const short = text.replace(NUMBERS, (list) => String(numbers.push(list) - 1));
  const answer = parsedObject(short) ?? {};
  const usage = asJsonObject(answer['usage']) ?? {};
  const embeddings = asArray(answer['data'])
    .filter(isJsonObject)
    .toSorted((one, other) => Number(one['index']) - Number(other['index']))
    .map(({ embedding }) => `{"values":${numbers[Number(embedding)]}}`);
  const metadata = { promptTokenCount: usage['prompt_tokens'], ...costMembers(usage) };
  const result = isBatch
    ? `"embeddings":[${embeddings.join(',')}]`
    : `"embedding":${embeddings.join('')}`;
  return `{${result},"usageMetadata":${JSON.stringify(metadata)}}`;
}
