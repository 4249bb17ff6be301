/**
 * Estimates the number of tokens in a text, for statistics that the console shows before the
 * gateway reports the real count. Charges always use the real count.
 */

/**
 * The average characters per token in most languages. Scripts without spaces have about 1.5
 * characters per token.
 */
const CHARACTERS_A_TOKEN = 4;
const TOKENS_AN_IDEOGRAPH = 0.7;
const IDEOGRAPHS = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;

/** The estimated tokens of a text, not rounded so that parts can be summed. */
export function tokenWeight(text: string): number {
  const ideographs = text.match(IDEOGRAPHS)?.length ?? 0;
  return (text.length - ideographs) / CHARACTERS_A_TOKEN + ideographs * TOKENS_AN_IDEOGRAPH;
}
