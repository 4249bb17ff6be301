/** Sends a Responses request's bytes upstream, edited for routing, billing, storing and quirks. */
import { memberText, replaceMembers } from '../../json/edit.ts';
import { asArray } from '../../json/object.ts';
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { RequestTarget, Translator } from '../translator.ts';
import { readResponsesAnswer } from './answer.ts';
import { echoOf } from './answer-edits.ts';
import { withImageDetail, withoutReasoning, withoutSeals, withoutTools } from './input-edits.ts';
import { SEAL_PREFIX } from './seal.ts';
import { openResponsesStream } from './stream-pass.ts';

export const responsesToResponses: Translator<'responses', 'responses'> = {
  caller: 'responses',
  upstream: 'responses',
  // Needs no `stream` argument: the body has it, and a Responses stream always reports usage.
  prepare: (body) => {
    const echo = echoOf(body);
    return {
      bodyFor: (to) => responsesBody(body, to),
      openStream: (context) => openResponsesStream({ ...context, echo }),
      readAnswer: (bytes, context) => readResponsesAnswer(bytes, context, echo),
    };
  },
};

type Edits = Map<string, string | Uint8Array | null>;

function responsesBody(body: ScannedObject, to: RequestTarget): Uint8Array<ArrayBuffer> {
  const { quirks, clampedOutput, plan } = to;
  const edits: Edits = new Map<string, string | Uint8Array | null>(plan.edits);
  const model = JSON.stringify(to.model);
  if (memberText(body, 'model') !== model) edits.set('model', model);
  // By default, the provider would store the prompt and the answer in the operator's account for 30
  // days.
  edits.set('store', 'false');
  addInclude(body, to, edits);
  if (clampedOutput !== null) edits.set('max_output_tokens', String(clampedOutput));
  addContentEdits(body, to, edits);
  // The field `provider` is an extension of the gateway. A strict upstream would refuse it.
  edits.set('provider', null);
  for (const field of quirks.drop) edits.set(field, null);
  return replaceMembers(body, edits);
}

const ENCRYPTED = 'reasoning.encrypted_content';

/**
 * Asks the provider for encrypted reasoning, so that a caller can send the reasoning back. Does not
 * ask for it if the request `isRepeated`, because then the upstream could not read the encrypted
 * reasoning that the caller sent.
 */
function addInclude(body: ScannedObject, { isRepeated }: RequestTarget, edits: Edits): void {
  const given = asArray(JSON.parse(memberText(body, 'include') ?? 'null'));
  if (isRepeated !== true) {
    if (!given.includes(ENCRYPTED)) edits.set('include', JSON.stringify([...given, ENCRYPTED]));
    return;
  }
  const others = given.filter((each) => each !== ENCRYPTED);
  edits.set('include', others.length === 0 ? null : JSON.stringify(others));
}

/**
 * Edits input and tools. They may be long, so they are parsed only if there is something to edit.
 */
function addContentEdits(body: ScannedObject, to: RequestTarget, edits: Edits): void {
  const { plan, isRepeated } = to;
  const detail = plan.imageDetail;
  const isKept = plan.leftOut.length === 0;
  if (isKept && detail === null && isRepeated !== true && !hasSeal(body)) return;
  const { json, encode } = parseWithPlaceholders(body);
  const sent = isKept ? json : { ...json, ...withoutTools(json, plan.leftOut) };
  for (const name of ['tools', 'tool_choice'] as const)
    if (sent[name] !== json[name]) edits.set(name, encode(sent[name]));
  const { input } = sent;
  if (!Array.isArray(input)) return;
  const own = withoutSeals(input);
  const readable = isRepeated === true ? withoutReasoning(own) : own;
  const edited = detail === null ? readable : withImageDetail(readable, detail);
  if (edited !== json['input']) edits.set('input', encode(edited));
}

function hasSeal({ ascii, bytes, members }: ScannedObject): boolean {
  if (ascii !== null) return ascii.includes(SEAL_PREFIX);
  const { start = 0, end = 0 } = members.get('input') ?? {};
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).includes(SEAL_PREFIX);
}
