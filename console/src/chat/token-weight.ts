/**
 * Roughly how many tokens a text has, for figures that are shown while nobody has counted yet. What is
 * charged is always what was counted.
 */

/** Four letters of most languages are a token; writings without spaces have about two a token and a half. */
const CHARACTERS_A_TOKEN = 4;
const TOKENS_AN_IDEOGRAPH = 0.7;
const IDEOGRAPHS = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;

/** Not rounded, so that pieces can be added up. */
export function tokenWeight(text: string): number {
  const ideographs = text.match(IDEOGRAPHS)?.length ?? 0;
  return (text.length - ideographs) / CHARACTERS_A_TOKEN + ideographs * TOKENS_AN_IDEOGRAPH;
}
