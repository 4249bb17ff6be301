/**
 * Forwards a stream of images. Keeps the bytes of events, except for the member `type`. The last
 * event also gets the cost.
 */
import { joinBytes } from '../../json/bytes.ts';
import { memberText, replaceMembers } from '../../json/edit.ts';
import { parsedObject } from '../../json/object.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import type { Served } from '../../money/served.ts';
import { NO_USAGE, type Usage } from '../../money/usage.ts';
import { nullIfInvalid } from '../broken-answer.ts';
import { oneLine } from '../chat/chunk.ts';
import { chatDialect, reportedError } from '../chat/errors.ts';
import type { CostFields, StreamDialect } from '../dialect.ts';
import { EventPass } from '../event-pass.ts';
import type { Quirks } from '../quirks.ts';
import { encodeEvent, type SseEvent } from '../sse.ts';
import type { ImageForm } from './choice.ts';
import { imagesUsage, servedImages, usageFromImages } from './response.ts';

/** The prefix of all event names: one for images generated from text, and one for edits. */
export type EventKind = 'image_generation' | 'image_edit';

export const imagesDialect: StreamDialect = {
  errorEvent: (error, moment) => {
    const body = chatDialect.errorBody(error, moment.requestId);
    return encodeEvent('error', `{"type":"error",${body.slice(1)}`);
  },
  keepAlive: chatDialect.keepAlive,
};

type Options = {
  readonly kind: EventKind;
  readonly form: ImageForm;
  /** The creation time, in Unix seconds, of an image that the upstream did not stream. */
  readonly createdSeconds: number;
  readonly maxEventBytes: number;
  readonly quirks: Pick<Quirks, 'toolUses' | 'reportedCost'>;
};

/** Maximum nesting depth of an event. The details of the usage need less. */
const MAX_EVENT_DEPTH = 8;
/**
 * Maximum bytes of an event without an image. Most have a few hundred. A longer one ends the stream
 * with an error.
 */
const MAX_PLAIN_BYTES = 64 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The stream of a single image. It ends with the first complete image. */
export class ImagesStreamPass extends EventPass {
  /** The usage that the caller is charged for. It is written into the last event. */
  charged: Usage = NO_USAGE;
  protected outputBytes = 0;
  protected readonly finishReason = null;
  readonly #options: Options;
  #completed: ScannedObject | null = null;

  constructor(options: Options) {
    super(options);
    this.#options = options;
  }

  /** Ends the stream with an image from an upstream whose answer was not streamed. */
  complete(image: Uint8Array<ArrayBuffer>, usage: Usage | null, served: Served): void {
    const { form, createdSeconds } = this.#options;
    const named = { background: 'auto', quality: 'auto', ...form, created_at: createdSeconds };
    const text = JSON.stringify({ b64_json: image.toBase64(), ...named });
    this.#completed = scanObject(encoder.encode(text), MAX_EVENT_DEPTH);
    this.usage = usage;
    this.served = served;
    this.ended = true;
  }

  finish(cost: CostFields): Uint8Array {
    if (this.#completed === null) throw new Error('the stream has no image');
    const usage = imagesUsage(this.charged, cost);
    return this.#event(this.#completed, 'completed', new Map([['usage', usage]]));
  }

  protected take(event: SseEvent): void {
    const object = scanned(event.data);
    const type = object === null ? null : parsedType(object);
    const what = /^image_(?:generation|edit)\.(partial_image|completed)$/.exec(type ?? '')?.[1];
    if (object === null || what === undefined) this.#readOther(event);
    else if (what === 'partial_image') this.pieces.push(this.#event(object, what, new Map()));
    else this.#takeCompleted(object);
    this.outputBytes += event.data.byteLength;
  }

  /** Does nothing, because a stream of images has no end mark that could be incomplete. */
  protected takePending(): void {}

  #takeCompleted(object: ScannedObject): void {
    const { start = 0, end = 0 } = object.members.get('b64_json') ?? {};
    // In JSON, an empty string has two bytes, its quotes.
    if (end - start <= 2) {
      this.fail("The provider's stream ended without an image.");
      return;
    }
    const facts: Record<string, unknown> = {};
    for (const name of object.members.keys())
      if (name !== 'b64_json') facts[name] = JSON.parse(memberText(object, name) ?? 'null');
    this.usage = usageFromImages(facts['usage']);
    this.served = servedImages(facts, this.#options.quirks);
    this.#completed = object;
    this.ended = true;
  }

  /**
   * Reads an event without an image. If it reports an error, or is not JSON, the stream fails. Any
   * other event is dropped.
   */
  #readOther({ data, name }: SseEvent): void {
    const text = data.byteLength > MAX_PLAIN_BYTES ? '' : decoder.decode(data);
    const json = parsedObject(text);
    if (json !== null) this.error = reportedError(json, name);
    else if (text.trim() !== '[DONE]') this.fail('The provider sent an event that is not JSON.');
  }

  #event(
    object: ScannedObject,
    what: 'partial_image' | 'completed',
    edits: Map<string, string>,
  ): Uint8Array {
    const name = `${this.#options.kind}.${what}`;
    const data = replaceMembers(object, edits.set('type', JSON.stringify(name)));
    return joinBytes([encoder.encode(`event: ${name}\ndata: `), data, END_OF_EVENT]);
  }
}

const END_OF_EVENT = encoder.encode('\n\n');

/**
 * Scans the JSON object of an event, converted to a single line; null if the data is not a JSON
 * object.
 */
const scanned = (data: Uint8Array): ScannedObject | null =>
  nullIfInvalid(() => scanObject(oneLine(data), MAX_EVENT_DEPTH));

/** Returns the `type` of an event as JSON text without the quotes. */
const parsedType = (object: ScannedObject): string | null =>
  memberText(object, 'type')?.slice(1, -1) ?? null;
