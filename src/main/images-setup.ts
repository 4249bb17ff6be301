/** Opens the store of generated images, and their signed URLs. */
import { join } from 'node:path';
import type { ImageStore } from '../images/image-store.ts';
import { openLocalImageStore } from '../images/local-store.ts';
import { S3ImageStore } from '../images/s3-store.ts';
import { ImageUrls, loadSigningKey } from '../images/signed-url.ts';
import { startImageSweep } from '../images/sweep.ts';
import type { GatewayDeps } from './gateway-deps.ts';

const IMAGE_FOLDER = 'images';

export async function setUpImages({ config, clock, log, publicUrl }: GatewayDeps) {
  const { images } = config;
  const store: ImageStore =
    images.store === 'local'
      ? await openLocalImageStore(join(config.data_dir, IMAGE_FOLDER), clock)
      : new S3ImageStore(images, clock);
  const lifetimeMs = images.url_ttl;
  const keys = await loadSigningKey(config.data_dir, clock);
  const urls = new ImageUrls({ publicUrl, keys, lifetimeMs, clock });
  const onFailure = (error: unknown): void =>
    log.warn({ err: error }, 'deleting an expired image failed; it will be retried');
  return { store, urls, sweep: startImageSweep({ store, clock, lifetimeMs, onFailure }) };
}
