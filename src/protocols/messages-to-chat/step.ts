/**
 * Translates each chat chunk to events for a Messages client. Has no side effects, so tests can try
 * chunks in every order. Chat may interleave text and calls, but Messages may not, so deltas of a
 * later block are deferred. Arguments of a call are buffered and checked before they are sent,
 * because clients throw when they parse invalid JSON. For tools with eager streaming, arguments are
 * sent unchecked.
 */
import {
  callIndex,
  type FragmentedCall,
  MAX_CALLS,
  newCall,
  withFragment,
} from '../chat/call-fragments.ts';
import { type CallFragment, type ModelOutput, mayWait } from '../chat/model-output.ts';
import { encodeThinkingSignature } from '../thinking-signature.ts';
import { validArguments } from '../tool-arguments.ts';
import type { ThinkingRule } from './answer-fields.ts';
import { messagesCallId } from './tool-names.ts';

/** A part of the answer for a Messages client. `stream.ts` writes each part as one event. */
export type Piece =
  | { readonly kind: 'start' }
  | { readonly kind: 'open'; readonly index: number; readonly block: Block }
  | {
      readonly kind: 'delta';
      readonly index: number;
      readonly to: DeltaKind;
      readonly text: string;
    }
  | { readonly kind: 'close'; readonly index: number };

export type Block =
  | { readonly type: 'thinking' | 'text' }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string };

export type DeltaKind = 'thinking' | 'signature' | 'text' | 'input';

/** Values that do not change during a stream. */
export type StreamRules = {
  readonly requestId: string;
  readonly thinking: ThinkingRule;
  /**
   * The tools whose arguments are sent immediately and unchecked, by the names that they have in
   * the chat request.
   */
  readonly eagerTools: ReadonlySet<string>;
  /** The maximum number of UTF-16 units that are buffered. */
  readonly maxHeldUnits: number;
};

type Call = FragmentedCall & {
  readonly phase: 'waiting' | 'open' | 'closed';
  /** The arguments that are buffered, until the block is opened or until they are complete. */
  readonly held: string;
  readonly extra: CallFragment['extra'];
};

type DeferredText = { readonly kind: 'thinking' | 'text'; readonly text: string };

export type StreamState = {
  readonly hasStarted: boolean;
  readonly blocks: number;
  readonly open: 'none' | 'thinking' | 'text' | 'call';
  readonly calls: readonly Call[];
  /**
   * Text and thinking that was received while a call was open. It is sent after the call is
   * complete.
   */
  readonly deferred: readonly DeferredText[];
  /** Blank text that is buffered. It is sent only if more text follows in the same block. */
  readonly blank: string;
  /**
   * Thinking that is not shown to the caller. When the open block is closed, this thinking is sent
   * in the block's signature.
   */
  readonly hidden: string;
  readonly heldUnits: number;
  readonly isRefused: boolean;
  readonly finishReason: string | null;
  /** The reason why the stream is not a valid answer; null while no fault was found. */
  readonly fault: string | null;
};

export const START: StreamState = {
  hasStarted: false,
  blocks: 0,
  open: 'none',
  calls: [],
  deferred: [],
  blank: '',
  hidden: '',
  heldUnits: 0,
  isRefused: false,
  finishReason: null,
  fault: null,
};

export type ChatStep = { readonly output: ModelOutput; readonly finishReason: string | null };

type Step = readonly [StreamState, readonly Piece[]];
/** A mutable copy of the state, and the parts of the answer that the step returns. */
type Draft = { -readonly [Name in keyof StreamState]: StreamState[Name] } & {
  readonly out: Piece[];
};

export function step(state: StreamState, chunk: ChatStep, rules: StreamRules): Step {
  const draft: Draft = { ...state, out: [] };
  if (!draft.hasStarted) {
    draft.hasStarted = true;
    draft.out.push({ kind: 'start' });
  }
  const { reasoning, text, refusal, calls } = chunk.output;
  if (reasoning !== '' && rules.thinking !== 'hidden') addText(draft, 'thinking', reasoning, rules);
  if (text !== '') addText(draft, 'text', text, rules);
  if (refusal !== '') {
    draft.isRefused = true;
    addText(draft, 'text', refusal, rules);
  }
  for (const fragment of calls) takeFragment(draft, fragment, rules);
  // Some servers send the finish reason "stop" in every chunk, even before another reason, so the
  // last one is stored.
  draft.finishReason = chunk.finishReason ?? draft.finishReason;
  if (draft.heldUnits > rules.maxHeldUnits) {
    draft.fault ??=
      'The provider sent more data out of order, or in one tool call, than the gateway can buffer.';
  }
  return done(draft);
}

/** Handles the end mark. Sends everything that is buffered, and closes every block. */
export function endStep(state: StreamState, rules: StreamRules): Step {
  const draft: Draft = { ...state, out: [] };
  if (draft.finishReason === null) {
    // A truncated answer must not be reported as complete.
    draft.fault ??= 'The upstream ended its answer without a finish reason.';
    return done(draft);
  }
  closeBlock(draft);
  while (draft.calls.some(({ phase }) => phase === 'waiting')) {
    const index = draft.calls.findIndex(({ phase }) => phase === 'waiting');
    if (draft.calls[index]?.name === null) {
      draft.fault ??= 'The upstream sent a tool call without a name.';
      return done(draft);
    }
    openCall(draft, index, rules);
    closeBlock(draft);
  }
  emitDeferred(draft, rules);
  closeBlock(draft);
  return done(draft);
}

function done({ out, ...state }: Draft): Step {
  return [state, out];
}

function addText(draft: Draft, kind: DeferredText['kind'], text: string, rules: StreamRules): void {
  closeWholeCalls(draft, rules);
  if (draft.open === 'call') {
    defer(draft, kind, text);
    return;
  }
  emitDeferred(draft, rules);
  emitText(draft, kind, text, rules);
}

function defer(draft: Draft, kind: DeferredText['kind'], text: string): void {
  const last = draft.deferred.at(-1);
  draft.deferred =
    last?.kind === kind
      ? [...draft.deferred.slice(0, -1), { kind, text: last.text + text }]
      : [...draft.deferred, { kind, text }];
  draft.heldUnits += text.length;
}

function emitDeferred(draft: Draft, rules: StreamRules): void {
  if (draft.deferred.length === 0) return;
  const { deferred } = draft;
  draft.deferred = [];
  for (const { kind, text } of deferred) {
    draft.heldUnits -= text.length;
    emitText(draft, kind, text, rules);
  }
}

/** Adds text or thinking to the output. Must not be called while a tool call is open. */
function emitText(
  draft: Draft,
  kind: DeferredText['kind'],
  given: string,
  rules: StreamRules,
): void {
  let text = given;
  if (draft.open !== kind) {
    if (kind === 'text') {
      text = draft.blank + given;
      draft.blank = mayWait(text) ? text : '';
      if (draft.blank !== '') return;
    }
    openBlock(draft, kind, { type: kind });
  }
  if (kind === 'thinking' && rules.thinking === 'sealed') {
    draft.hidden += text;
    draft.heldUnits += text.length;
    return;
  }
  draft.out.push({ kind: 'delta', index: draft.blocks - 1, to: kind, text });
}

function openBlock(draft: Draft, open: StreamState['open'], block: Block): void {
  closeBlock(draft);
  draft.open = open;
  draft.out.push({ kind: 'open', index: draft.blocks, block });
  draft.blocks += 1;
}

function closeBlock(draft: Draft): void {
  if (draft.open === 'none') return;
  const index = draft.blocks - 1;
  if (draft.open === 'call') closeCall(draft);
  if (draft.hidden !== '') {
    draft.out.push({
      kind: 'delta',
      index,
      to: 'signature',
      text: encodeThinkingSignature(draft.hidden),
    });
    draft.heldUnits -= draft.hidden.length;
    draft.hidden = '';
  }
  draft.open = 'none';
  draft.out.push({ kind: 'close', index });
}

/**
 * Marks the open call as closed. Sends its buffered arguments, converted to a JSON object if they
 * are invalid.
 */
function closeCall(draft: Draft): void {
  const at = draft.calls.findIndex(({ phase }) => phase === 'open');
  const call = draft.calls[at];
  if (call === undefined) return;
  draft.calls = draft.calls.with(at, { ...call, phase: 'closed', held: '' });
  if (call.held === '') return;
  draft.heldUnits -= call.held.length;
  emitArguments(draft, validArguments(call.held));
}

function emitArguments(draft: Draft, text: string): void {
  if (text !== '') draft.out.push({ kind: 'delta', index: draft.blocks - 1, to: 'input', text });
}

function takeFragment(draft: Draft, fragment: CallFragment, rules: StreamRules): void {
  const found = callIndex(draft.calls, fragment);
  const index = found < 0 ? draft.calls.length : found;
  if (index === MAX_CALLS) {
    draft.fault ??= `The upstream sent more than ${MAX_CALLS} tool calls.`;
    return;
  }
  const known = draft.calls[index] ?? waitingCall(fragment.index);
  const call = { ...withFragment(known, fragment), extra: known.extra ?? fragment.extra };
  const { arguments: text } = fragment;
  switch (call.phase) {
    case 'closed':
      if (text.trim() === '') return;
      draft.fault ??= 'The upstream continued a tool call that was complete.';
      return;
    case 'open':
      if (isEager(call, rules)) {
        draft.calls = draft.calls.with(index, call);
        emitArguments(draft, text);
      } else hold(draft, index, call, text);
      return;
    case 'waiting':
      hold(draft, index, call, text);
      closeWholeCalls(draft, rules);
      if (draft.open !== 'call') openNextCall(draft, rules);
  }
}

const isEager = ({ name }: Call, { eagerTools }: StreamRules): boolean =>
  name !== null && eagerTools.has(name);

function hold(draft: Draft, index: number, call: Call, text: string): void {
  const held = { ...call, held: call.held + text };
  draft.calls =
    index === draft.calls.length ? [...draft.calls, held] : draft.calls.with(index, held);
  draft.heldUnits += text.length;
}

const waitingCall = (key: number | null): Call => ({
  ...newCall(key),
  phase: 'waiting',
  held: '',
  extra: null,
});

/**
 * Closes the open call if it is complete, and opens the next one. Repeats this until a call is
 * incomplete or no call is left.
 */
function closeWholeCalls(draft: Draft, rules: StreamRules): void {
  while (draft.open === 'call') {
    const open = draft.calls.find(({ phase }) => phase === 'open');
    if (open?.progress.isComplete !== true) return;
    closeBlock(draft);
    openNextCall(draft, rules);
  }
}

function openNextCall(draft: Draft, rules: StreamRules): void {
  const index = draft.calls.findIndex(({ phase }) => phase === 'waiting');
  if (index >= 0 && draft.calls[index]?.name !== null) openCall(draft, index, rules);
}

function openCall(draft: Draft, index: number, rules: StreamRules): void {
  const call = draft.calls[index];
  if (call === undefined || call.name === null) return;
  // Clients find a call by its id, so each id must be unique.
  const isTaken = draft.calls.some((other, at) => at < index && other.id === call.id);
  const id = messagesCallId(isTaken ? null : call.id, rules.requestId, index, call.extra);
  // Drops the buffered blank text, because a call follows instead of more text.
  draft.blank = '';
  openBlock(draft, 'call', { type: 'tool_use', id, name: call.name });
  const sent = isEager(call, rules) ? call.held : '';
  draft.calls = draft.calls.with(index, {
    ...call,
    phase: 'open',
    held: call.held.slice(sent.length),
  });
  draft.heldUnits -= sent.length;
  emitArguments(draft, sent);
}
