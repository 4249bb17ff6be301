/** The words of an answer: pleasant, short, and showing what the request held. */
import type { Conversation } from '../builtin-conversation.ts';
import type { Media } from '../prompt-media.ts';
import { findSum, formatNumber } from './arithmetic.ts';
import { countedOut, exactWords } from './dictation.ts';
import { brief, type LatestRequest, type ToolResult } from './latest-request.ts';
import type { Phrases } from './phrases.ts';

const MAX_ASKED_CHARS = 160;
const MAX_SYSTEM_CHARS = 120;
const MAX_RESULT_CHARS = 400;
/** Lists longer than this are cut with a count of the rest. */
const MAX_LISTED = 8;

/** `variant` is any whole number; 128 in a row give 128 different answers, unless the words are dictated. */
export function proseFor(
  conversation: Conversation,
  latest: LatestRequest,
  variant: number,
): string {
  const { phrases } = latest;
  if (latest.results.length > 0) {
    return [
      ...latest.results.map((result) => sayResult(result, phrases)),
      closing(phrases, variant),
    ].join(phrases.space);
  }
  const dictated = exactWords(latest.asked) ?? countedOut(latest.asked);
  if (dictated !== null) return dictated;
  return [
    opening(latest, variant),
    ...saySum(latest),
    ...describe(conversation, latest),
    note(conversation, phrases, variant),
    closing(phrases, variant),
  ].join(phrases.space);
}

const pick = <T>(list: readonly [T, ...T[]] | readonly T[], index: number, otherwise: T): T =>
  list[index % list.length] ?? otherwise;

function opening(latest: LatestRequest, variant: number): string {
  const { openings, nothingAsked } = latest.phrases;
  const asked = latest.asked === '' ? nothingAsked : brief(latest.asked, MAX_ASKED_CHARS);
  return pick(openings, variant, (text: string) => text)(asked);
}

function note({ model }: Conversation, phrases: Phrases, variant: number): string {
  const { notes, openings } = phrases;
  const index = Math.floor(variant / openings.length);
  return pick(notes, index, (text: string) => text)(model);
}

function closing({ closings, notes, openings }: Phrases, variant: number): string {
  return pick(closings, Math.floor(variant / (openings.length * notes.length)), '');
}

function saySum({ asked, phrases }: LatestRequest): readonly string[] {
  const sum = findSum(asked);
  if (sum === null) return [];
  const { expression, value } = sum;
  if (!Number.isFinite(value)) return [phrases.noSum(expression)];
  return [phrases.sum(expression, formatNumber(value))];
}

function describe(conversation: Conversation, latest: LatestRequest): readonly string[] {
  const { phrases } = latest;
  const callable = conversation.tools.filter((tool) => tool.input.kind !== 'server');
  const sentences: string[] = [];
  if (latest.media.length > 0) {
    sentences.push(
      phrases.media(
        listed(
          latest.media.map((each) => sayMedia(each, phrases)),
          phrases,
        ),
      ),
    );
  }
  if (latest.system !== '') sentences.push(phrases.system(brief(latest.system, MAX_SYSTEM_CHARS)));
  if (latest.userTurns > 1) sentences.push(phrases.turns(latest.userTurns));
  if (callable.length > 0 && conversation.choice.kind !== 'none') {
    sentences.push(
      phrases.tools(
        listed(
          callable.map((tool) => tool.name),
          phrases,
        ),
      ),
    );
  }
  return sentences;
}

function listed(items: readonly string[], { comma }: Phrases): string {
  const rest = items.length - MAX_LISTED;
  return [...items.slice(0, MAX_LISTED), ...(rest > 0 ? [`+${rest}`] : [])].join(comma);
}

/** `an image (image/png, 64×48, 1234 bytes)`. */
function sayMedia(media: Media, { nouns, units, comma }: Phrases): string {
  const { source, size, bytes, name } = media;
  const facts = [
    ...(name === null ? [] : [brief(name, MAX_SYSTEM_CHARS)]),
    media.mediaType ?? units.unknown,
    ...(size === null ? [] : [`${size.width}×${size.height}`]),
    ...(bytes === null ? [] : [`${bytes} ${units.bytes}`]),
    ...(source.kind === 'url' ? [brief(source.url, MAX_ASKED_CHARS), units.elsewhere] : []),
    ...(source.kind === 'stored' ? [source.id] : []),
  ];
  return `${nouns[media.kind]} (${facts.join(comma)})`;
}

function sayResult({ name, text, isError }: ToolResult, phrases: Phrases): string {
  const told = isError ? phrases.failure : phrases.result;
  const sentence = told(name, brief(flattened(text), MAX_RESULT_CHARS));
  return /[.!?。！？…]$/.test(sentence)
    ? sentence
    : `${sentence}${phrases.space === '' ? '。' : '.'}`;
}

/** JSON objects of plain values read better as words: `temperature 21, sky clear`. */
function flattened(text: string): string {
  if (!text.trimStart().startsWith('{') || text.length > MAX_RESULT_CHARS * 4) return text;
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    if (entries.some(([, value]) => typeof value === 'object' && value !== null)) return text;
    return entries.map(([name, value]) => `${name} ${value}`).join(', ');
  } catch (failure) {
    // A tool may answer anything; what is not JSON after all is quoted as it is.
    if (failure instanceof SyntaxError) return text;
    throw failure;
  }
}

/** One sentence before a call. */
export const announceCalls = (names: readonly string[], { calling, comma }: Phrases): string =>
  calling(names.join(comma));

/** What stands for a conversation after it was compacted. */
export const summaryOf = (conversation: Conversation, latest: LatestRequest): string =>
  [
    latest.phrases.summary(conversation.turns.length, brief(latest.asked, MAX_RESULT_CHARS)),
    ...latest.results.map((result) => sayResult(result, latest.phrases)),
  ].join(latest.phrases.space);

/** How many steps of thinking an effort is worth: more effort always thinks longer. */
const STEPS = { minimal: 1, low: 2, medium: 4, high: 7, xhigh: 11, max: 16 } as const;

export function thoughtsOn(latest: LatestRequest, effort: keyof typeof STEPS): string {
  const asked =
    latest.asked === '' ? latest.phrases.nothingAsked : brief(latest.asked, MAX_ASKED_CHARS);
  return latest.phrases.thoughts
    .slice(0, STEPS[effort])
    .map((thought) => thought(asked))
    .join(latest.phrases.space);
}
