/**
 * The prompt as a row of units in the order the caches match them: tools, system, messages. What a
 * request costs, what `count_tokens` says and what is cached all come from this one row.
 */
import type { CacheLife, Conversation, Part, Tool, Turn } from './builtin-conversation.ts';
import { type Media, mediaTokens } from './prompt-media.ts';
import { fingerprint } from './seeded-random.ts';
import { countTokens } from './tokenizer.ts';

export type PromptUnit = {
  /** What kind of unit it is and whose: part of its identity, though not of its text. */
  readonly label: string;
  /** All that tells it from other units of its label. */
  readonly text: string;
  readonly tokens: number;
  /** Whether `tokens` are those of `text`, beside a fixed surcharge, so that it can be cut between them. */
  readonly divisible: boolean;
  readonly marker: CacheLife | null;
};

/** What the frame around a turn costs, and around a tool: names, roles and separators. */
const TURN_TOKENS = 4;
const TOOL_TOKENS = 8;

export function promptUnits(conversation: Conversation): readonly PromptUnit[] {
  const units = conversation.tools.map(toolUnit);
  for (const turn of conversation.turns) pushTurn(units, turn);
  return units;
}

export const promptTokens = (units: readonly PromptUnit[]): number =>
  units.reduce((sum, unit) => sum + unit.tokens, 0);

/** The seed of every draw for a request: the same for the same prompt and settings. */
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
    // The label tells a part that opens a turn from one that continues it: they are different prompts.
    const label = `${turn.role}/${part.kind}/${frame}/${identityOf(part)}`;
    for (const media of mediaOf(part)) units.push(mediaUnit(label, media));
    const text = textOf(part);
    const tokens = frame + countTokens(text);
    units.push({ label, text, tokens, divisible: true, marker: part.marker });
  });
}

/** What tells a part from another of the same text. */
function identityOf(part: Part): string {
  if (part.kind === 'tool_call') return part.id;
  return part.kind === 'tool_result' ? `${part.callId}/${part.isError}` : '';
}

function mediaOf(part: Part): readonly Media[] {
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
