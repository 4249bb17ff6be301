/** A prompt as units in cache order: tools, system, messages. All token counts use these units. */
import type { CacheLife, Conversation, Part, Tool, Turn } from './builtin-conversation.ts';
import { type Media, mediaTokens } from './prompt-media.ts';
import { fingerprint } from './seeded-random.ts';
import { countTokens } from './tokenizer.ts';

export type PromptUnit = {
  /** The kind and role of the unit. They distinguish units with the same text. */
  readonly label: string;
  /** The content. It distinguishes units with the same label. */
  readonly text: string;
  readonly tokens: number;
  /**
   * Whether `text` makes up the tokens, so that a cached prefix can end inside it; false for media
   * other than text documents.
   */
  readonly divisible: boolean;
  readonly marker: CacheLife | null;
};

/** Extra tokens of a turn and of a tool. They stand for names, roles and separators. */
const TURN_TOKENS = 4;
const TOOL_TOKENS = 8;

export function promptUnits(conversation: Conversation): readonly PromptUnit[] {
  const units = conversation.tools.map(toolUnit);
  for (const turn of conversation.turns) pushTurn(units, turn);
  return units;
}

export const promptTokens = (units: readonly PromptUnit[]): number =>
  units.reduce((sum, unit) => sum + unit.tokens, 0);

/** Returns the seed of an answer, which is the same for the same model, prompt and settings. */
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
    // The first part's `frame` is above 0, so the label shows where a turn begins: two turns differ
    // from one turn with the same two parts.
    const label = `${turn.role}/${part.kind}/${frame}/${identityOf(part)}`;
    for (const media of mediaOf(part)) units.push(mediaUnit(label, media));
    const text = textOf(part);
    const tokens = frame + countTokens(text);
    units.push({ label, text, tokens, divisible: true, marker: part.marker });
  });
}

/** Returns the attribute that distinguishes a part from other parts with the same text. */
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
