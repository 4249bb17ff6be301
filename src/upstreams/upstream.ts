/**
 * What stands behind a route: something that takes a request in its own dialect and answers with a
 * `Response` whose body is a byte stream. One adapter a dialect; the built-in one needs no network.
 */

/** The wire formats an upstream may be asked in. */
export type WireFormat = 'chat' | 'messages' | 'count_tokens' | 'images';

export type UpstreamRequest = {
  readonly format: WireFormat;
  /** JSON in the upstream's dialect, already naming the upstream's own model. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether the body asks for an event stream. */
  readonly stream: boolean;
  /** Headers of the dialect that matter to the upstream (`anthropic-version`, `anthropic-beta`); never credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who asks, opaque: keeps one account's prompt cache apart from another's. Never sent over a network. */
  readonly scope: string;
  readonly signal: AbortSignal;
};

export interface Upstream {
  readonly name: string;
  readonly formats: ReadonlySet<WireFormat>;
  /** Texts that must not be seen in what a caller is told: its host, its key. */
  readonly hidden: readonly string[];
  /**
   * Sends once, without retry. Resolves when the upstream's status line is known, whatever it is.
   * @throws GatewayError `upstream_failed` or `upstream_timeout` when no status came;
   *   the signal's reason when it was aborted.
   */
  send(request: UpstreamRequest): Promise<Response>;
}
