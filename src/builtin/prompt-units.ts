/**
 * Splits a prompt into units, in the order in which prefixes are cached: tools, system prompt,
 * messages. All token counts are sums over these units.
 */
import type { CacheLife, Conversation, Part, Tool, Turn } from './builtin-conversation.ts';
import { type Media, mediaTokens } from './prompt-media.ts';
import { fingerprint } from './seeded-random.ts';
import { countTokens } from './tokenizer.ts';

export type PromptUnit = {
  /** The kind and role of the unit. Units with the same text but different labels are different. */
  readonly label: string;
  /** The content. Units with the same label but different texts are different. */
  readonly text: string;
  readonly tokens: number;
  /**
   * Whether the tokens come from `text`, so that a cached prefix can end inside the unit. False for
   * media other than text documents.
   */
  readonly divisible: boolean;
  readonly marker: CacheLife | null;
};

/** The tokens that are added for each turn and each tool, for names, roles and separators. */
const TURN_TOKENS = 4;
const TOOL_TOKENS = 8;

export function promptUnits(conversation: Conversation): readonly PromptUnit[] {
  const units = conversation.tools.map(toolUnit);
  for (const turn of conversation.turns) pushTurn(units, turn);
  return units;
}

export const promptTokens = (units: readonly PromptUnit[]): number =>
  units.reduce((sum, unit) => sum + unit.tokens, 0);

/**
 * Returns the seed of an answer, from which all its random choices are computed. Equal models,
 * prompts and settings give equal seeds.
 */
export function seedOf(units: readonly PromptUnit[], conversation: Conversation): bigint {
  let seed = fingerprint(conversation.settings, fingerprint(conversation.model));
  for (const unit of units) seed = chainUnit(unit, seed);
  return seed;
}

export const chainUnit = (unit: PromptUnit, chain: bigint): bigint =>
  fingerprint(unit.text, fingerprint(unit.label, chain));

function toolUnit(tool: Tool): PromptUnit {
  const text = JSON.stringify([tool.name, tool.description, tool.input]);
  const tokens = TOOL_TOKENS + countTokens(text);
  return { label: 'tool', text, tokens, divisible: true, marker: tool.marker };
}

function pushTurn(units: PromptUnit[], turn: Turn): void {
  turn.parts.forEach((part, index) => {
    const frame = index === 0 ? TURN_TOKENS : 0;
    // `frame` is above 0 only for the first part of a turn, so that the label shows where a turn
    // begins. Therefore, two turns of one part each do not get the same labels as one turn of both
    // parts.
    const label = `${turn.role}/${part.kind}/${frame}/${identityOf(part)}`;
    for (const media of mediaOf(part)) units.push(mediaUnit(label, media));
    const text = textOf(part);
    const tokens = frame + countTokens(text);
    units.push({ label, text, tokens, divisible: true, marker: part.marker });
  });
}

/**
 * Returns what distinguishes this part from other parts with the same text, such as the id of a
 * tool call.
 */
function identityOf(part: Part): string {
  if (part.kind === 'tool_call') return part.id;
  return part.kind === 'tool_result' ? `${part.callId}/${part.isError}` : '';
}

export function mediaOf(part: Part): readonly Media[] {
  if (part.kind === 'media') return [part.media];
  return part.kind === 'tool_result' ? part.media : [];
}

function mediaUnit(label: string, media: Media): PromptUnit {
  const { source } = media;
  if (source.kind === 'text') {
    const tokens = countTokens(source.text);
    return { label, text: source.text, tokens, divisible: true, marker: null };
  }
  const text =
    source.kind === 'base64' ? source.data : source.kind === 'url' ? source.url : source.id;
  return { label, text, tokens: mediaTokens(media), divisible: false, marker: null };
}

function textOf(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'thinking':
    case 'tool_result':
      return part.text;
    case 'media':
      return part.media.name ?? '';
    case 'tool_call':
      return `${part.name} ${part.input}`;
    case 'opaque':
      return part.json;
  }
}
