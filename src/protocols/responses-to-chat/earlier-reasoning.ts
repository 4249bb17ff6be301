/**
 * Restores the reasoning of earlier answers from the reasoning items that the caller sends back.
 * Inserts the reasoning among texts and calls at the position of its item.
 */
import { asArray, asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { PARAGRAPH } from '../chat/content-parts.ts';
import type { Place } from '../chat-to-messages/reasoning.ts';
import type { SealedReasoning, Seals } from '../responses/seal.ts';

const NO_REASONING: SealedReasoning = { text: '', details: [], calls: {} };

/**
 * Returns the reasoning of a reasoning item. If the gateway did not seal (sign) the item's
 * `encrypted_content`, this is only the text in `content`, because only the provider can read the
 * encrypted rest.
 * @throws GatewayError `invalid_encrypted_content` for sealed content that was changed.
 */
export function reasoningOf(item: JsonObject, path: string, seals: Seals): SealedReasoning {
  const encrypted = asFilledString(item['encrypted_content']);
  const sealed = encrypted === null ? null : seals.unseal(encrypted, `${path}.encrypted_content`);
  if (sealed !== null) return sealed;
  const texts = asArray(item['content']).flatMap(
    (part) => asFilledString(asJsonObject(part)?.['text']) ?? [],
  );
  return texts.length === 0 ? NO_REASONING : { ...NO_REASONING, text: texts.join('') };
}

/** Returns all text of the reasoning, for servers that must get reasoning back as text. */
export function reasoningText({ text, details }: SealedReasoning): string {
  if (text !== '') return text;
  const texts = details.map((detail) => {
    const { text: own, summary } = detail;
    return asFilledString(own) ?? asFilledString(summary) ?? '';
  });
  return texts.filter((each) => each !== '').join(PARAGRAPH);
}

/** Returns an entry of `reasoning_details` with its place in the assistant message. */
export const placedDetail = (detail: JsonObject, { text, calls }: Place): JsonObject => ({
  ...detail,
  after: { content: text, tool_calls: calls },
});
