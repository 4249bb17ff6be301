import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { ImageFile } from '../../images/image-file.ts';
import type { ImageStore } from '../../images/image-store.ts';
import type { ImageUrls, SignedImageUrl } from '../../images/signed-url.ts';

/** How long after a failure of the store no image is drawn for it. */
const PAUSE_MS = 10_000;

type Parts = {
  readonly store: Pick<ImageStore, 'put'>;
  readonly urls: Pick<ImageUrls, 'sign'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
};

/**
 * Stores the images that are delivered as URLs, and signs the URLs. The operator pays for an image
 * that cannot be stored. So after a failure, further requests are refused before they are sent.
 */
export class ImageShelf {
  readonly clock: Parts['clock'];
  readonly #parts: Parts;
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
      return urls.sign(await store.put(file));
    } catch (thrown) {
      this.#pausedUntilMs = this.clock.monotonicMs() + PAUSE_MS;
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
