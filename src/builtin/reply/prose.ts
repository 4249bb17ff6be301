/**
 * Writes the text of an answer, which contains tool results, a dictated text, an example answer or
 * a generic answer.
 */
import type { Conversation, Effort } from '../builtin-conversation.ts';
import type { Media } from '../prompt-media.ts';
import { countedOut, dictatedWords } from './dictation.ts';
import { type ExampleAnswer, exampleAnswer } from './example-answers.ts';
import { brief, type LatestRequest, type ToolResult } from './latest-request.ts';
import { PHRASES, type Phrases } from './phrases.ts';

const MAX_ASKED_CHARS = 160;
const MAX_SYSTEM_CHARS = 120;
const MAX_RESULT_CHARS = 400;
/** Maximum items of a list that an answer names. The number of others follows, such as `+3`. */
const MAX_LISTED = 8;

/**
 * Identifies one of the answers to a request. `choice` is the index of the answer, from 0. `seed`
 * is the seed of the request.
 */
export type Variant = { readonly seed: bigint; readonly choice: number };

/**
 * Returns the text of one answer. A request gets up to 128 different answers, unless it dictates a
 * text or has tool results.
 */
export function proseFor(
  conversation: Conversation,
  latest: LatestRequest,
  variant: Variant,
): string {
  const { openings, notes, closings, nothingAsked, space } = PHRASES[latest.language];
  const index = Number(variant.seed % 128n) + variant.choice;
  const closing = closings[Math.floor(index / 16) % 8] ?? '';
  if (latest.results.length > 0) {
    return [...latest.results.map((result) => describeResult(result, latest)), closing].join(space);
  }
  const dictated = dictatedWords(latest.asked) ?? countedOut(latest.asked);
  if (dictated !== null) return dictated;
  const example = variant.choice === 0 ? exampleFor(conversation, latest) : null;
  if (example !== null) return example.text;
  const asked = latest.asked === '' ? nothingAsked : brief(latest.asked, MAX_ASKED_CHARS);
  const opening = openings[index % 4]?.(asked) ?? '';
  const note = notes[Math.floor(index / 4) % 4]?.(conversation.model) ?? '';
  return [opening, ...describeInput(conversation, latest), note, closing].join(space);
}

/**
 * Returns the example answer for a prompt; null if the prompt is not an example. Also returns null
 * if the request has instructions, files or earlier turns, because an example answer would ignore
 * them.
 */
const exampleFor = (
  { model }: Conversation,
  { asked, language, system, userTurns, media }: LatestRequest,
): ExampleAnswer | null =>
  system === '' && userTurns === 1 && media.length === 0
    ? exampleAnswer(asked, language, model)
    : null;

function describeInput(conversation: Conversation, latest: LatestRequest): readonly string[] {
  const phrases = PHRASES[latest.language];
  const callable = conversation.tools.filter((tool) => tool.input.kind !== 'server');
  const sentences: string[] = [];
  if (latest.media.length > 0) {
    const media = latest.media.map((each) => describeMedia(each, phrases));
    sentences.push(phrases.media(listed(media, phrases)));
  }
  if (latest.system !== '') sentences.push(phrases.system(brief(latest.system, MAX_SYSTEM_CHARS)));
  if (latest.userTurns > 1) sentences.push(phrases.turns(latest.userTurns));
  if (callable.length > 0 && conversation.choice.kind !== 'none') {
    const names = callable.map((tool) => tool.name);
    sentences.push(phrases.tools(listed(names, phrases)));
  }
  return sentences;
}

function listed(items: readonly string[], { comma }: Phrases): string {
  const rest = items.length - MAX_LISTED;
  return [...items.slice(0, MAX_LISTED), ...(rest > 0 ? [`+${rest}`] : [])].join(comma);
}

/** Describes media in words, such as `an image (image/png, 64×48, 1234 bytes)`. */
function describeMedia(media: Media, { nouns, units, comma }: Phrases): string {
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

function describeResult({ name, text, isError }: ToolResult, { language }: LatestRequest): string {
  const phrases = PHRASES[language];
  const report = isError ? phrases.failure : phrases.result;
  const sentence = report(name, brief(flattened(text), MAX_RESULT_CHARS));
  return /[.!?。！？…]$/.test(sentence)
    ? sentence
    : `${sentence}${phrases.space === '' ? '。' : '.'}`;
}

/** Formats a flat JSON object as `temperature 21, sky clear`. Returns any other text unchanged. */
function flattened(text: string): string {
  if (!text.trimStart().startsWith('{') || text.length > MAX_RESULT_CHARS * 4) return text;
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    if (entries.some(([, value]) => typeof value === 'object' && value !== null)) return text;
    return entries.map(([name, value]) => `${name} ${value}`).join(', ');
  } catch (failure) {
    // A tool result may be any text. A result that is not JSON is quoted unchanged.
    if (failure instanceof SyntaxError) return text;
    throw failure;
  }
}

export const announceCalls = (names: readonly string[], { language }: LatestRequest): string =>
  PHRASES[language].calling(names.join(PHRASES[language].comma));

/** The number of thinking steps for each effort. A higher effort always has more steps. */
const STEPS = {
  minimal: 1,
  low: 2,
  medium: 3,
  high: 4,
  xhigh: 6,
  max: 8,
} as const satisfies Record<Effort, number>;

export function thoughtsOn(
  conversation: Conversation,
  latest: LatestRequest,
  effort: Effort,
): string {
  const { nothingAsked, thoughts, space } = PHRASES[latest.language];
  const asked = latest.asked === '' ? nothingAsked : brief(latest.asked, MAX_ASKED_CHARS);
  const generic = thoughts.map((thought) => thought(asked));
  const example = exampleFor(conversation, latest);
  return [...(example?.thoughts ?? []), ...generic].slice(0, STEPS[effort]).join(space);
}
