import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { ImageFile } from '../../images/image-file.ts';
import type { ImageStore } from '../../images/image-store.ts';
import type { ImageUrls, SignedImageUrl } from '../../images/signed-url.ts';

/** After this many failures in a row, the store counts as away: one may be a lost connection. */
const FAILURES = 2;
/** How long no image is drawn for a store that is away. */
const PAUSE_MS = 10_000;

type Parts = {
  readonly store: Pick<ImageStore, 'put'>;
  readonly urls: Pick<ImageUrls, 'sign'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
};

/**
 * Stores the images that are delivered as URLs, and signs the URLs. The operator pays for an image
 * that cannot be stored. So while the store is away, requests are refused before they are sent.
 */
export class ImageShelf {
  readonly clock: Parts['clock'];
  readonly #parts: Parts;
  #failures = 0;
  #pausedUntilMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.clock = parts.clock;
  }

  /** @throws GatewayError `store_unavailable` while the store is paused. */
  requireStore(): void {
    if (this.clock.monotonicMs() < this.#pausedUntilMs) throw notStored();
  }

  /** @throws GatewayError `store_unavailable` when the image cannot be stored. */
  async urlOf(file: ImageFile): Promise<SignedImageUrl> {
    const { store, urls } = this.#parts;
    try {
      const id = await store.put(file);
      this.#failures = 0;
      return urls.sign(id);
    } catch (thrown) {
      this.#failures += 1;
      if (this.#failures >= FAILURES) this.#pausedUntilMs = this.clock.monotonicMs() + PAUSE_MS;
      throw notStored(thrown);
    }
  }
}

const notStored = (cause?: unknown): GatewayError =>
  new GatewayError(
    'store_unavailable',
    'The gateway cannot store images at the moment. This request was not charged. Retry it, or ' +
      'ask for `response_format: b64_json`.',
    { cause },
  );
