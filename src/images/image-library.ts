/** Loads sharp, a library that draws and converts images. */
import { GatewayError } from '../errors.ts';

/**
 * Loads the library on first use, because loading takes 60 ms and 35 MB.
 * @throws GatewayError `image_library_missing` in the single binary, which cannot contain the
 * library
 */
export async function imageLibrary(): Promise<typeof import('sharp')['default']> {
  try {
    return (await import('sharp')).default;
  } catch (cause) {
    throw new GatewayError(
      'image_library_missing',
      'This gateway cannot draw or convert images, because it runs as a single binary or without sharp. To get demo images, or images in another format or size than the provider delivers, run the npm package or the container instead.',
      { cause },
    );
  }
}
