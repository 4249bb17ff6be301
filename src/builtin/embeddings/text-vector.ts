/**
 * Computes the vector of a text from hashed features: words, parts of words, and, in scripts
 * without spaces, single characters and pairs of characters. Texts with common words or word parts
 * get similar vectors, and equal texts get equal vectors. Synonyms are no more similar than other
 * words.
 */

/**
 * The length of a full vector. A shorter vector is the beginning of a full vector, normalized to
 * length 1 again.
 */
export const VECTOR_LENGTH = 1536;

/**
 * The number of dimensions that each feature affects. It is high enough that a shortened vector
 * still contains most features.
 */
const SPREAD = 12;
/**
 * Letters per word part. With three letters, a word still shares most parts with its inflected or
 * misspelled forms, but few parts with unrelated words.
 */
const PART = 3;

const WORD_WEIGHT = 2;
const PART_WEIGHT = 0.5;
const PAIR_WEIGHT = 1.5;
const CHARACTER_WEIGHT = 0.6;
/**
 * The weight of words and characters that occur in nearly every text, and therefore say little
 * about what the text is about.
 */
const COMMON_WEIGHT = 0.1;
const COMMON = new Set(
  [
    'a an and are as at be but by can did do does for from had has have he her his how i if',
    'in is it its me my no not of on or our she so that the their them they this to was we',
    'were what when where which who why will with you your 的 了 是 在 我 你 他 她 它 们 和 有',
    '不 这 那 个 一 也 就 都 吗 呢 啊 很 会 能 要 么 什 怎 请',
  ].flatMap((words) => words.split(' ')),
);

/** Matches words of letters and digits, and single characters such as Han, kana and Thai. */
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]|[\p{L}\p{N}\p{M}]+/gu;
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** Returns the unit vector of a text. @param length dimensions, at most `VECTOR_LENGTH`. */
export function textVector(text: string, length: number): Float32Array {
  const features = new Features();
  let before: { readonly character: string; readonly end: number } | null = null;
  const folded = text.normalize('NFKC').toLowerCase();
  for (const match of folded.matchAll(WORDS)) {
    const [word] = match;
    if (!WITHOUT_SPACES.test(word)) {
      addWord(features, word);
      continue;
    }
    features.add(`c${word}`, COMMON.has(word) ? COMMON_WEIGHT : CHARACTER_WEIGHT);
    if (before !== null && before.end === match.index) {
      const isCommon = COMMON.has(word) || COMMON.has(before.character);
      features.add(`p${before.character}${word}`, isCommon ? COMMON_WEIGHT : PAIR_WEIGHT);
    }
    before = { character: word, end: match.index + word.length };
  }
  // A text that consists only of punctuation becomes one feature, because a vector without features
  // has no direction.
  if (features.isEmpty) features.add(`t${folded}`, 1);
  return features.vector(length);
}

function addWord(features: Features, word: string): void {
  if (COMMON.has(word)) {
    features.add(`w${word}`, COMMON_WEIGHT);
    return;
  }
  features.add(`w${word}`, WORD_WEIGHT);
  const marked = `<${word}>`;
  for (let at = 0; at + PART <= marked.length; at++)
    features.add(`n${marked.slice(at, at + PART)}`, PART_WEIGHT);
}

/** Returns the vector of a list of token ids. Different ids count as unrelated. */
export function tokensVector(tokens: readonly number[], length: number): Float32Array {
  const features = new Features();
  let before: number | null = null;
  for (const token of tokens) {
    features.add(`t${token}`, 1);
    if (before !== null) features.add(`t${before},${token}`, 1);
    before = token;
  }
  return features.vector(length);
}

class Features {
  /** The weight of each feature, by its hash. */
  readonly #weights = new Map<number, number>();

  get isEmpty(): boolean {
    return this.#weights.size === 0;
  }

  /** Adds a feature. Each repetition adds less, so that frequent words do not dominate. */
  add(feature: string, weight: number): void {
    const key = hashOf(feature);
    const known = this.#weights.get(key) ?? 0;
    this.#weights.set(key, Math.hypot(known, weight));
  }

  vector(length: number): Float32Array {
    const sums = new Float64Array(VECTOR_LENGTH);
    for (const [key, weight] of this.#weights) {
      let state = key;
      for (let each = 0; each < SPREAD; each++) {
        state = mixed(state + 0x9e3779b9);
        const at = (state >>> 1) % VECTOR_LENGTH;
        sums[at] = (sums[at] ?? 0) + ((state & 1) === 0 ? weight : -weight);
      }
    }
    let squares = 0;
    for (let at = 0; at < length; at++) squares += (sums[at] ?? 0) ** 2;
    // In a very short vector, all numbers may be 0, which cannot be normalized. Such a vector gets
    // a fixed direction instead.
    if (squares === 0) sums[0] = 1;
    const norm = squares === 0 ? 1 : Math.sqrt(squares);
    return Float32Array.from({ length }, (_, at) => (sums[at] ?? 0) / norm);
  }
}

/** Returns a 32-bit hash of the text: FNV-1a over its UTF-16 code units, then `mixed`. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/**
 * Mixes the bits of a 32-bit number as MurmurHash3 does, so that similar numbers get unlike hashes.
 */
function mixed(given: number): number {
  let bits = given >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
