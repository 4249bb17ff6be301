/** `context_management`: clears or summarizes parts of a long conversation. */
import type { Fields } from '../body-fields.ts';
import type { Conversation, Part, Turn } from '../builtin-conversation.ts';
import { promptTokens, promptUnits } from '../prompt-units.ts';
import { readLatestRequest } from '../reply/latest-request.ts';
import { summaryOf } from '../reply/prose.ts';

const CLEAR_THINKING = 'clear_thinking_20251015';
const CLEAR_TOOLS = 'clear_tool_uses_20250919';
const COMPACT = 'compact_20260112';

const DEFAULT_CLEAR_TRIGGER_TOKENS = 100_000;
const DEFAULT_COMPACT_TRIGGER_TOKENS = 150_000;
const DEFAULT_KEPT_TOOL_USES = 3;
const DEFAULT_KEPT_THINKING_TURNS = 1;
const CLEARED = '[Cleared to save context.]';

type ClearThinking = { readonly keepTurns: number };
type ClearTools = {
  readonly trigger: { readonly type: 'input_tokens' | 'tool_uses'; readonly value: number };
  readonly keep: number;
  readonly atLeastTokens: number;
  readonly excluded: ReadonlySet<string>;
  readonly clearsInputs: boolean;
};
type Compact = { readonly triggerTokens: number; readonly pauses: boolean };

export type ContextEdits = {
  readonly clearThinking: ClearThinking | null;
  readonly clearTools: ClearTools | null;
  readonly compact: Compact | null;
};

export type AppliedEdit =
  | {
      readonly type: typeof CLEAR_THINKING;
      readonly cleared_thinking_turns: number;
      readonly cleared_input_tokens: number;
    }
  | {
      readonly type: typeof CLEAR_TOOLS;
      readonly cleared_tool_uses: number;
      readonly cleared_input_tokens: number;
    };

export function readContextEdits(fields: Fields): ContextEdits | null {
  const management = fields.child('context_management');
  if (management === undefined) return null;
  const edits: { -readonly [Name in keyof ContextEdits]: ContextEdits[Name] } = {
    clearThinking: null,
    clearTools: null,
    compact: null,
  };
  for (const edit of management.children('edits')) {
    const type = edit.oneOf('type', [CLEAR_THINKING, CLEAR_TOOLS, COMPACT]) ?? edit.missing('type');
    if (type === CLEAR_THINKING) edits.clearThinking = readClearThinking(edit);
    else if (type === CLEAR_TOOLS) edits.clearTools = readClearTools(edit);
    else edits.compact = readCompact(edit);
  }
  return edits;
}

function readClearThinking(edit: Fields): ClearThinking {
  if (edit.object['keep'] === 'all') return { keepTurns: Infinity };
  const keep = edit.child('keep');
  if (keep?.oneOf('type', ['all', 'thinking_turns']) === 'all') return { keepTurns: Infinity };
  return { keepTurns: keep?.integer('value', { min: 0 }) ?? DEFAULT_KEPT_THINKING_TURNS };
}

function readClearTools(edit: Fields): ClearTools {
  const trigger = edit.child('trigger');
  return {
    trigger: {
      type: trigger?.oneOf('type', ['input_tokens', 'tool_uses']) ?? 'input_tokens',
      value: trigger?.integer('value', { min: 0 }) ?? DEFAULT_CLEAR_TRIGGER_TOKENS,
    },
    keep: edit.child('keep')?.integer('value', { min: 0 }) ?? DEFAULT_KEPT_TOOL_USES,
    atLeastTokens: edit.child('clear_at_least')?.integer('value', { min: 0 }) ?? 0,
    excluded: new Set(edit.strings('exclude_tools')),
    clearsInputs: edit.object['clear_tool_inputs'] === true,
  };
}

function readCompact(edit: Fields): Compact {
  const triggerTokens = edit.child('trigger')?.integer('value', { min: 1 });
  return {
    triggerTokens: triggerTokens ?? DEFAULT_COMPACT_TRIGGER_TOKENS,
    pauses: edit.boolean('pause_after_compaction') ?? false,
  };
}

const sizeOf = (conversation: Conversation): number => promptTokens(promptUnits(conversation));

/** Applies the clearing edits and reports those that had an effect. */
export function applyEdits(
  conversation: Conversation,
  edits: ContextEdits,
): { readonly conversation: Conversation; readonly applied: readonly AppliedEdit[] } {
  const applied: AppliedEdit[] = [];
  let current = conversation;
  if (edits.clearThinking !== null) {
    const { turns, cleared } = withoutThinking(current.turns, edits.clearThinking.keepTurns);
    const next = { ...current, turns };
    const saved = sizeOf(current) - sizeOf(next);
    if (cleared > 0) {
      applied.push({
        type: CLEAR_THINKING,
        cleared_thinking_turns: cleared,
        cleared_input_tokens: saved,
      });
    }
    current = next;
  }
  if (edits.clearTools !== null && isTriggered(current, edits.clearTools)) {
    const { turns, cleared } = withoutToolUses(current.turns, edits.clearTools);
    const next = { ...current, turns };
    const saved = sizeOf(current) - sizeOf(next);
    if (cleared > 0 && saved >= edits.clearTools.atLeastTokens) {
      applied.push({ type: CLEAR_TOOLS, cleared_tool_uses: cleared, cleared_input_tokens: saved });
      current = next;
    }
  }
  return { conversation: current, applied };
}

const partsOf = (turns: readonly Turn[]): readonly Part[] => turns.flatMap((turn) => turn.parts);

function isTriggered(conversation: Conversation, { trigger }: ClearTools): boolean {
  if (trigger.type === 'input_tokens') return sizeOf(conversation) > trigger.value;
  const uses = partsOf(conversation.turns).filter((part) => part.kind === 'tool_call').length;
  return uses > trigger.value;
}

type Cleared = { readonly turns: readonly Turn[]; readonly cleared: number };

function withoutThinking(turns: readonly Turn[], keepTurns: number): Cleared {
  const isThinking = (part: Part): boolean => part.kind === 'thinking';
  const thinking = turns.filter((turn) => turn.parts.some(isThinking));
  const dropped = new Set(thinking.slice(0, Math.max(0, thinking.length - keepTurns)));
  return {
    turns: turns.map((turn) =>
      dropped.has(turn) ? { ...turn, parts: turn.parts.filter((part) => !isThinking(part)) } : turn,
    ),
    cleared: dropped.size,
  };
}

function withoutToolUses(turns: readonly Turn[], edit: ClearTools): Cleared {
  const uses = partsOf(turns).flatMap((part) =>
    part.kind === 'tool_call' && !edit.excluded.has(part.name) ? [part.id] : [],
  );
  const dropped = new Set(uses.slice(0, Math.max(0, uses.length - edit.keep)));
  const clear = (part: Part): Part => {
    if (part.kind === 'tool_result' && dropped.has(part.callId)) {
      return { ...part, text: CLEARED, media: [] };
    }
    const isClearedCall = edit.clearsInputs && part.kind === 'tool_call' && dropped.has(part.id);
    return isClearedCall ? { ...part, input: '{}' } : part;
  };
  return {
    turns: turns.map((turn) => ({ ...turn, parts: turn.parts.map(clear) })),
    cleared: dropped.size,
  };
}

/** The conversation with a summary in place of everything before the latest request. */
export type Compaction = { readonly summary: string; readonly conversation: Conversation };

export function compact(conversation: Conversation): Compaction {
  const summary = summaryOf(conversation, readLatestRequest(conversation));
  const { turns } = conversation;
  const askedAt = turns.findLastIndex(
    (turn) => turn.role === 'user' && turn.parts.some((part) => part.kind === 'text'),
  );
  const firstMessage = turns.findIndex((turn) => turn.role !== 'system');
  const instructions = turns.slice(0, Math.max(0, firstMessage));
  const stand: Turn = { role: 'assistant', parts: [{ kind: 'text', text: summary, marker: null }] };
  const rest = turns.slice(Math.max(askedAt, instructions.length));
  return { summary, conversation: { ...conversation, turns: [...instructions, stand, ...rest] } };
}

export const needsCompaction = (conversation: Conversation, edits: ContextEdits): boolean =>
  edits.compact !== null && sizeOf(conversation) > edits.compact.triggerTokens;
