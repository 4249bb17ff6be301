/**
 * Translates each Messages event to parts of the caller's answer. Has no side effects, so tests can
 * try events in every order.
 */
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { PARAGRAPH } from '../chat/content-parts.ts';
import { MESSAGE_SEQUENCE } from '../messages/stream-event.ts';
import { hasOutputCount, mergeUsage } from '../messages/usage.ts';
import { type Annotation, annotationOf, endedAt, MAX_ANNOTATIONS } from './annotations.ts';
import { explanationOf } from './answer-fields.ts';
import type { Place, Thought } from './reasoning.ts';

/** A part of the caller's answer. `stream.ts` passes it to the writer for the caller's protocol. */
export type Chunk =
  | { readonly kind: 'role' }
  | { readonly kind: 'text' | 'reasoning' | 'refusal'; readonly text: string }
  | CallChunk
  | { readonly kind: 'arguments'; readonly call: number; readonly json: string }
  | { readonly kind: 'thought'; readonly thought: Thought }
  | { readonly kind: 'thoughts'; readonly thoughts: readonly Thought[] }
  | {
      /** The citations of a text block that just ended, and the block's length in UTF-16 units. */
      readonly kind: 'cited';
      readonly citations: readonly Annotation[];
      readonly units: number;
    }
  | {
      readonly kind: 'annotations';
      readonly annotations: readonly Annotation[];
      /**
       * The index of the first of these annotations: the number of annotations in previous chunks.
       */
      readonly first: number;
    }
  | { readonly kind: 'finish'; readonly stopReason: string; readonly hasCalls: boolean };

/** The start of a tool call, and the thinking between the previous call and this one. */
export type CallChunk = {
  readonly kind: 'call';
  readonly call: number;
  readonly id: string | null;
  readonly name: string;
  readonly thoughts: readonly Thought[];
};

/** The open block of the upstream's stream. Server tools and unknown blocks are `other`. */
type OpenBlock =
  | { readonly kind: 'other'; readonly index: unknown }
  | {
      readonly kind: 'text';
      readonly index: unknown;
      /** The position in `content` at which the text of the block begins. */
      readonly start: number;
    }
  | {
      readonly kind: 'thinking';
      readonly index: unknown;
      readonly thinking: string;
      readonly signature: string;
      readonly place: Place;
    }
  | {
      readonly kind: 'tool';
      readonly index: unknown;
      readonly call: number;
      /** The arguments in the event that started the block, used if no delta follows. */
      readonly input: JsonObject;
      readonly hasWritten: boolean;
    };

export type StreamState = {
  readonly phase: 'waiting' | 'open' | 'over';
  readonly open: OpenBlock | null;
  /** The thinking that a client can send back; empty once it exceeds `maxThoughtUnits`. */
  readonly thoughts: readonly Thought[];
  /** The number of UTF-16 units of thinking and signatures so far. */
  readonly thoughtUnits: number;
  readonly maxThoughtUnits: number;
  /** The number of entries of `thoughts` before the last tool call. */
  readonly thoughtsBeforeCall: number;
  readonly calls: number;
  readonly text: number;
  /**
   * Whether the next text must begin a new paragraph, because a block without a counterpart in chat
   * came before it.
   */
  readonly isParted: boolean;
  readonly annotations: readonly Annotation[];
  readonly sentAnnotations: number;
  readonly stopReason: string | null;
  readonly explanation: string | null;
  /** The `message` of the event `message_start`. */
  readonly message: JsonObject;
  /** The `usage` of the event `message_start`, updated by each `message_delta`. */
  readonly counts: JsonObject;
  /** Whether a `message_delta` has counted the output. */
  readonly outputCounted: boolean;
  /** The reason why the stream is not a valid answer; null while no fault was found. */
  readonly fault: string | null;
};

/**
 * Returns the initial state. If thinking exceeds `maxThoughtUnits`, its text is still streamed, but
 * not its signatures. Without them, a client cannot send the thinking back.
 */
export const startState = (maxThoughtUnits: number): StreamState => ({
  phase: 'waiting',
  open: null,
  thoughts: [],
  thoughtUnits: 0,
  maxThoughtUnits,
  thoughtsBeforeCall: 0,
  calls: 0,
  text: 0,
  isParted: false,
  annotations: [],
  sentAnnotations: 0,
  stopReason: null,
  explanation: null,
  message: {},
  counts: {},
  outputCounted: false,
  fault: null,
});

type Step = readonly [StreamState, readonly Chunk[]];

/** Maximum tool calls of an answer in OpenAI's chat protocol. Clients refuse a higher index. */
export const MAX_CALLS = 128;
const NOTHING: readonly Chunk[] = [];
/** Returns the next state and the chunks to send for an event of any type except `error`. */
export function step(
  state: StreamState,
  event: { readonly type: string; readonly json: JsonObject },
): Step {
  const { type, json } = event;
  if (state.phase === 'waiting') {
    if (type === 'message_start') return startMessage(state, json);
    return MESSAGE_SEQUENCE.has(type)
      ? failed(state, `The upstream sent ${type} before message_start.`)
      : [state, NOTHING];
  }
  switch (type) {
    case 'content_block_delta':
      return takeDelta(state, json['index'], asJsonObject(json['delta']) ?? {});
    case 'content_block_start':
      return startBlock(state, json['index'], asJsonObject(json['content_block']) ?? {});
    case 'content_block_stop':
      return closeBlock(state);
    case 'message_delta':
      return [updated(state, json), NOTHING];
    case 'message_stop':
      return stopMessage(state);
    case 'message_start':
      return failed(state, 'The upstream started its message twice.');
    default:
      // A ping, or an event of a later protocol version, which has no counterpart in chat.
      return [state, NOTHING];
  }
}

const failed = (state: StreamState, fault: string): Step => [{ ...state, fault }, NOTHING];

function startMessage(state: StreamState, json: JsonObject): Step {
  const message = asJsonObject(json['message']);
  if (message === null)
    return failed(state, 'The upstream sent a message_start without a message.');
  const counts = countsWith({}, message['usage']);
  return [{ ...state, phase: 'open', message, counts }, [{ kind: 'role' }]];
}

/** Starts a block. Blocks are sequential, so this closes the previous block if it is still open. */
function startBlock(before: StreamState, index: unknown, block: JsonObject): Step {
  const [state, closing] = closeBlock(before);
  const place = { text: state.text, calls: state.calls };
  switch (block['type']) {
    case 'text': {
      const start = state.text + partingOf(state).length;
      const open: OpenBlock = { kind: 'text', index, start };
      return after(closing, takeText({ ...state, open }, block['text']));
    }
    case 'thinking': {
      const signature = asString(block['signature']) ?? '';
      const open: OpenBlock = { kind: 'thinking', index, thinking: '', signature, place };
      return after(closing, takeThinking({ ...state, open }, block['thinking']));
    }
    case 'redacted_thinking': {
      const data = asString(block['data']) ?? '';
      const thought: Thought = { place, block: { type: 'redacted_thinking', data } };
      const [kept, thoughts] =
        data === '' ? [state, NOTHING] : takeThought(withUnits(state, data.length), thought);
      return [{ ...kept, open: { kind: 'other', index } }, [...closing, ...thoughts]];
    }
    case 'tool_use':
      return after(closing, startCall(state, index, block));
    case 'fallback':
      // After a `fallback` block, another model continues the same text without a new paragraph.
      return [{ ...state, open: { kind: 'other', index } }, closing];
    default:
      return [{ ...state, open: { kind: 'other', index }, isParted: true }, closing];
  }
}

function startCall(state: StreamState, index: unknown, block: JsonObject): Step {
  const name = asString(block['name']) ?? '';
  if (name === '') return failed(state, 'The upstream sent a tool call without a name.');
  if (state.calls === MAX_CALLS) {
    return failed(state, `The upstream sent more than ${MAX_CALLS} tool calls.`);
  }
  const call = state.calls;
  const input = asJsonObject(block['input']) ?? {};
  const open: OpenBlock = { kind: 'tool', index, call, input, hasWritten: false };
  const thoughts = state.thoughts.slice(state.thoughtsBeforeCall);
  const called: StreamState = {
    ...state,
    open,
    calls: call + 1,
    thoughtsBeforeCall: state.thoughts.length,
    sentAnnotations: state.annotations.length,
  };
  const chunk: Chunk = { kind: 'call', call, id: asString(block['id']), name, thoughts };
  return [called, [...unsentAnnotations(state), chunk]];
}

function takeDelta(state: StreamState, index: unknown, delta: JsonObject): Step {
  const { open } = state;
  if (open?.kind === 'other') return [state, NOTHING];
  switch (delta['type']) {
    case 'text_delta':
      return takeText(state, delta['text']);
    case 'thinking_delta':
      return takeThinking(state, delta['thinking']);
    case 'signature_delta': {
      const signature = asString(delta['signature']);
      if (open?.kind !== 'thinking' || signature === null) return [state, NOTHING];
      // Each signature is complete, so a later one replaces the earlier one.
      return [{ ...state, open: { ...open, signature } }, NOTHING];
    }
    case 'input_json_delta':
      return takeArguments(state, index, delta['partial_json']);
    case 'citations_delta':
      return [withCitation(state, delta['citation']), NOTHING];
    default:
      // Compaction summaries, and deltas of later protocol versions, have no counterpart in chat.
      return [state, NOTHING];
  }
}

function takeText(state: StreamState, given: unknown): Step {
  const written = asString(given) ?? '';
  if (written === '') return [state, NOTHING];
  const text = partingOf(state) + written;
  return [{ ...state, text: state.text + text.length, isParted: false }, [{ kind: 'text', text }]];
}

/**
 * Returns the separator before the next text: a blank line if text came earlier, and a block in
 * between has no counterpart in chat; otherwise an empty string.
 */
const partingOf = ({ isParted, text }: StreamState): string =>
  isParted && text > 0 ? PARAGRAPH : '';

function withCitation(state: StreamState, citation: unknown): StreamState {
  const { open, annotations } = state;
  if (open?.kind !== 'text' || annotations.length === MAX_ANNOTATIONS) return state;
  const annotation = annotationOf(citation, open.start);
  return annotation === null ? state : { ...state, annotations: [...annotations, annotation] };
}

function takeThinking(before: StreamState, given: unknown): Step {
  const text = asString(given) ?? '';
  if (text === '') return [before, NOTHING];
  const chunks: readonly Chunk[] = [{ kind: 'reasoning', text }];
  if (before.open?.kind !== 'thinking') return [before, chunks];
  const state = withUnits(before, text.length);
  const thinking = isTooLong(state) ? '' : before.open.thinking + text;
  return [{ ...state, open: { ...before.open, thinking } }, chunks];
}

function takeArguments(state: StreamState, index: unknown, given: unknown): Step {
  const { open } = state;
  const json = asString(given) ?? '';
  if (json === '') return [state, NOTHING];
  if (open?.kind !== 'tool' || open.index !== index) {
    // The arguments belong to a call that is not open, so they cannot be added to the open one.
    return failed(state, 'The upstream sent arguments of a tool call that is not open.');
  }
  const next = open.hasWritten ? state : { ...state, open: { ...open, hasWritten: true } };
  return [next, [{ kind: 'arguments', call: open.call, json }]];
}

function closeBlock(state: StreamState): Step {
  const { open } = state;
  if (open === null) return [state, NOTHING];
  const closed: StreamState = { ...state, open: null };
  if (open.kind === 'text' && state.annotations.length > 0) {
    const citations = state.annotations.filter(({ end }) => end === null);
    const units = state.text - open.start;
    const chunks: readonly Chunk[] = [{ kind: 'cited', citations, units }];
    return [{ ...closed, annotations: endedAt(state.annotations, state.text) }, chunks];
  }
  if (open.kind === 'tool' && !open.hasWritten) {
    const json = JSON.stringify(open.input);
    return [closed, [{ kind: 'arguments', call: open.call, json }]];
  }
  if (open.kind === 'thinking' && open.signature !== '') {
    const { place, thinking, signature } = open;
    const thought: Thought = { place, block: { type: 'thinking', thinking, signature } };
    return takeThought(withUnits(closed, signature.length), thought);
  }
  return [closed, NOTHING];
}

const isTooLong = (state: StreamState): boolean => state.thoughtUnits > state.maxThoughtUnits;

const withUnits = (state: StreamState, units: number): StreamState => ({
  ...state,
  thoughtUnits: state.thoughtUnits + units,
});

/**
 * Adds a thinking block. If all thinking together is too long, drops all thinking blocks, because
 * upstreams accept thinking only if it is complete.
 */
function takeThought(state: StreamState, thought: Thought): Step {
  if (isTooLong(state)) return [{ ...state, thoughts: [] }, NOTHING];
  const thoughts = [...state.thoughts, thought];
  return [{ ...state, thoughts }, [{ kind: 'thought', thought }]];
}

/** Applies a `message_delta`. A stream may have several; later values replace earlier ones. */
function updated(state: StreamState, json: JsonObject): StreamState {
  const delta = asJsonObject(json['delta']) ?? {};
  return {
    ...state,
    counts: countsWith(state.counts, json['usage']),
    outputCounted: state.outputCounted || hasOutputCount(json['usage']),
    stopReason: asString(delta['stop_reason']) ?? state.stopReason,
    explanation: explanationOf(delta['stop_details']) ?? state.explanation,
  };
}

/** The members of `usage` that are read. Others are not stored, since there may be many. */
const COUNTS: ReadonlySet<string> = new Set([
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'output_tokens_details',
  'iterations',
  'service_tier',
  'speed',
  'inference_geo',
  'server_tool_use',
  'cost',
]);

function countsWith(earlier: JsonObject, usage: unknown): JsonObject {
  const known = Object.entries(asJsonObject(usage) ?? {}).filter(([name]) => COUNTS.has(name));
  return known.length === 0 ? earlier : mergeUsage(earlier, Object.fromEntries(known));
}

function stopMessage(before: StreamState): Step {
  const { stopReason } = before;
  if (stopReason === null) {
    // A truncated answer must not be reported as complete.
    return failed(before, 'The upstream ended its message without a stop reason.');
  }
  const [state, closing] = closeBlock(before);
  const { thoughts, explanation, text, calls } = state;
  const chunks: Chunk[] = [...closing];
  if (explanation !== null && text === 0) chunks.push({ kind: 'refusal', text: explanation });
  if (thoughts.length > 0 && !isTooLong(state)) chunks.push({ kind: 'thoughts', thoughts });
  chunks.push(...unsentAnnotations(state));
  chunks.push({ kind: 'finish', stopReason, hasCalls: calls > 0 });
  return [{ ...state, phase: 'over' }, chunks];
}

/** Returns all unsent annotations as one chunk, because some clients read only one such chunk. */
function unsentAnnotations({ annotations, sentAnnotations: first }: StreamState): readonly Chunk[] {
  if (annotations.length === first) return NOTHING;
  return [{ kind: 'annotations', annotations: annotations.slice(first), first }];
}

const after = (closing: readonly Chunk[], [state, chunks]: Step): Step =>
  closing.length === 0 ? [state, chunks] : [state, [...closing, ...chunks]];
