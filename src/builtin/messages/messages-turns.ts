/** `system` and `messages` of a request as turns. System messages are taken at any position. */

import type { Fields } from '../body-fields.ts';
import type { Part, Turn } from '../builtin-conversation.ts';
import { invalid } from '../request-error.ts';
import { readContent, readMarker } from './messages-blocks.ts';

const MAX_MESSAGES = 100_000;

export type MessagesTurns = {
  readonly turns: readonly Turn[];
  /** The text of a last assistant message, which the answer continues; null when there is none. */
  readonly prefill: string | null;
};

/** @throws RequestError also when a tool call is not answered in the next message, or an answer has no call. */
export function readMessagesTurns(fields: Fields): MessagesTurns {
  const messages = fields.children('messages');
  if (!fields.has('messages')) fields.missing('messages');
  if (messages.length > MAX_MESSAGES) {
    throw invalid('messages', `At most ${MAX_MESSAGES} messages are allowed.`);
  }
  let turns: Turn[] = [];
  for (const message of messages) {
    const role = message.oneOf('role', ['user', 'assistant', 'system']) ?? message.missing('role');
    // A system message may only change settings and then has no content.
    if (role !== 'system' && !message.has('content')) message.missing('content');
    const parts = readContent(message);
    const last = turns.at(-1);
    if (last?.role === role && role !== 'system') {
      turns[turns.length - 1] = { role, parts: [...last.parts, ...parts] };
    } else {
      turns.push({ role, parts });
    }
  }
  if (!turns.some((turn) => turn.role !== 'system')) {
    throw invalid('messages', 'At least one message with role user is required.');
  }
  checkToolResults(turns);
  turns = afterCompaction(turns);
  return { turns: [...readSystem(fields), ...turns], prefill: prefillOf(turns) };
}

function readSystem(fields: Fields): readonly Turn[] {
  const { system } = fields.object;
  if ((system ?? null) === null) return [];
  if (typeof system === 'string') {
    return [{ role: 'system', parts: [{ kind: 'text', text: system, marker: null }] }];
  }
  const parts = fields.children('system').map((block): Part => {
    if (block.oneOf('type', ['text']) === undefined) block.missing('type');
    return { kind: 'text', text: block.requiredString('text'), marker: readMarker(block) };
  });
  return parts.length === 0 ? [] : [{ role: 'system', parts }];
}

function checkToolResults(turns: readonly Turn[]): void {
  const open = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'system') continue;
    for (const part of turn.parts) {
      if (part.kind !== 'tool_result' || open.delete(part.callId)) continue;
      throw invalid(
        `messages[${index}]`,
        `Unexpected \`tool_use_id\` in a \`tool_result\` block: ${part.callId}. Each must answer one \`tool_use\` block of the previous message.`,
      );
    }
    checkNoneOpen(open, index);
    for (const part of turn.parts) if (part.kind === 'tool_call') open.add(part.id);
  }
  checkNoneOpen(open, turns.length);
}

function checkNoneOpen(open: ReadonlySet<string>, index: number): void {
  if (open.size === 0) return;
  throw invalid(
    `messages[${index}]`,
    `\`tool_use\` ids without \`tool_result\` blocks immediately after: ${[...open].join(', ')}. Each \`tool_use\` block must have one in the next message.`,
  );
}

/** A compaction block stands for all that came before it. */
function afterCompaction(turns: readonly Turn[]): Turn[] {
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const { role, parts } = turns[index] ?? { role: 'user', parts: [] };
    const at = parts.findLastIndex((part) => summaryIn(part) !== null);
    const summary = parts[at] === undefined ? null : summaryIn(parts[at]);
    if (summary === null) continue;
    const text: Part = { kind: 'text', text: summary, marker: parts[at]?.marker ?? null };
    return [{ role, parts: [text, ...parts.slice(at + 1)] }, ...turns.slice(index + 1)];
  }
  return [...turns];
}

/** The summary of a compaction block; null for any other part, and for a compaction that failed. */
function summaryIn(part: Part): string | null {
  if (part.kind !== 'opaque' || !part.json.startsWith('{"type":"compaction"')) return null;
  const { content } = JSON.parse(part.json) as { readonly content?: unknown };
  return typeof content === 'string' ? content : null;
}

function prefillOf(turns: readonly Turn[]): string | null {
  const last = turns.at(-1);
  const part = last?.role === 'assistant' ? last.parts.at(-1) : undefined;
  return part?.kind === 'text' ? part.text : null;
}
