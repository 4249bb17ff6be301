/** Reads a chat message or delta, including members that only Responses callers receive. */
import {
  asArray,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { outputBytesOf, readModelOutput } from '../chat/model-output.ts';
import type { Quirks } from '../quirks.ts';
import type { OutputWriter } from './output-writer.ts';

/**
 * Writes all output in a chat message or delta. Returns the size of the output in bytes, from which
 * missing usage is estimated.
 */
export function writeChatPart(
  writer: OutputWriter,
  part: JsonObject,
  logprobs: unknown,
  { reasoningFields }: Pick<Quirks, 'reasoningFields'>,
): number {
  const output = readModelOutput(part, reasoningFields);
  writer.reasoning(output.reasoning);
  const { reasoning_details: details, annotations } = part;
  if (Array.isArray(details)) writer.details(details.filter(isJsonObject));
  writer.text(output.text, logprobs === null ? undefined : logprobsIn(logprobs));
  writer.refuse(output.refusal);
  if (Array.isArray(annotations)) {
    for (const annotation of annotations.flatMap(annotationIn)) writer.annotate(annotation);
  }
  for (const call of output.calls) writer.call(call);
  return outputBytesOf(output);
}

/**
 * Returns a list with the URL citation of an annotation. The list is empty if the citation lacks
 * the positions that clients require.
 */
function annotationIn(annotation: unknown): readonly JsonObject[] {
  const citation = asJsonObject(asJsonObject(annotation)?.['url_citation']);
  if (citation === null) return [];
  const { start_index, end_index } = citation;
  const url = asString(citation['url']);
  if (!Number.isInteger(start_index) || !Number.isInteger(end_index) || url === null) return [];
  const title = asString(citation['title']) ?? '';
  return [{ type: 'url_citation', start_index, end_index, title, url }];
}

function logprobsIn(logprobs: unknown): readonly JsonObject[] {
  return asArray(asJsonObject(logprobs)?.['content']).flatMap((each) => {
    const token = asJsonObject(each);
    if (token === null) return [];
    return [{ ...probability(token), top_logprobs: topOf(token) }];
  });
}

const topOf = (token: JsonObject): readonly JsonObject[] =>
  asArray(token['top_logprobs']).filter(isJsonObject).map(probability);

const probability = ({ token, logprob, bytes }: JsonObject): JsonObject => ({
  token: token ?? '',
  logprob: logprob ?? 0,
  bytes: Array.isArray(bytes) ? bytes : [],
});
