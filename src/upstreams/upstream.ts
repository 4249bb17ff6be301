/**
 * The interface of an upstream, which receives a request in its own protocol and returns a
 * `Response`.
 */

import { type ErrorDetail, GatewayError } from '../errors.ts';
import type { Quirks } from '../protocols/quirks.ts';
import type { UpstreamFields } from '../protocols/request-fields.ts';

export type WireFormat =
  | 'chat'
  | 'messages'
  | 'responses'
  | 'count_tokens'
  | 'images'
  | 'image_edits'
  | 'embeddings';

/**
 * Whether requests in this format generate an image. Providers bill such a request as soon as it
 * has started, so it is then not sent again.
 */
export const isDrawing = (format: WireFormat): boolean =>
  format === 'images' || format === 'image_edits';

/** An image to edit, or its mask. The bytes are a view of the caller's body. */
export type UpstreamFile = {
  readonly name: 'image' | 'image[]' | 'mask';
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

export type UpstreamRequest = {
  readonly format: WireFormat;
  /** The JSON body in the upstream's protocol, with the upstream's own model name. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The files of an image edit. The fields in `body` and these files make a multipart form. */
  readonly files?: readonly UpstreamFile[] | undefined;
  readonly stream: boolean;
  /** The headers of the protocol (`anthropic-version`, `anthropic-beta`); never credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * An opaque account id that separates the accounts' prompt caches in the built-in provider. Never
   * sent over a network.
   */
  readonly scope: string;
  /** The W3C trace context to forward; null to forward none. */
  readonly traceparent: string | null;
  /** The model's deadline for connecting, in milliseconds; null to use the upstream's own. */
  readonly connectMs: number | null;
  /** The model's deadline for the first byte, in milliseconds; null to use the upstream's own. */
  readonly firstByteMs: number | null;
  /** Aborts the call. Triggered by the sender of the request, or by the function `abort`. */
  readonly signal: AbortSignal;
  /** Aborts `signal` with this reason. The upstream calls it when a deadline has passed. */
  readonly abort: (reason: GatewayError) => void;
};

export interface Upstream {
  readonly name: string;
  readonly formats: ReadonlySet<WireFormat>;
  readonly quirks: Quirks;
  /** The request fields that may be sent to the upstream. */
  readonly fields: UpstreamFields;
  /** The upstream's own deadline for the status line, in milliseconds; null if it has none. */
  readonly firstByteTimeoutMs: number | null;
  /** The texts to mask in errors for callers, such as the host and the key. */
  readonly hidden: readonly string[];
  /**
   * Sends the request once and resolves with a response of any status.
   * @throws NotSent when the upstream was not reached; the signal's reason after an abort.
   * @throws GatewayError `upstream_failed` or `upstream_timeout` when no status line arrived.
   */
  send(request: UpstreamRequest): Promise<Response>;
  /**
   * Fetches an image whose URL is in an answer. Absent if the upstream's answers contain no such
   * URLs.
   * @throws GatewayError `upstream_failed`, which no retry can fix.
   */
  readonly download?: (url: string, terms: DownloadTerms) => Promise<Uint8Array<ArrayBuffer>>;
}

export type DownloadTerms = { readonly maxBytes: number; readonly signal: AbortSignal };

/**
 * Thrown when the upstream has certainly not received the request, so that another upstream can be
 * called.
 */
export class NotSent extends GatewayError {
  constructor(message: string, detail: ErrorDetail = {}) {
    super('upstream_failed', message, detail);
  }
}
