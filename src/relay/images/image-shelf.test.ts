import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { GatewayError } from '../../errors.ts';
import type { ImageId } from '../../images/image-store.ts';
import { readImagesRequest } from '../../protocols/images/request.ts';
import { smallCatalogue } from '../admission.fixture.ts';
import { AnswerMemory } from './answer-memory.ts';
import { imageOrder } from './image-order.ts';
import { ImageShelf } from './image-shelf.ts';

const FILE = { format: 'png', bytes: new Uint8Array(1) } as const;

test('refuses requests for URLs for ten seconds after two failures of the store in a row', async () => {
  const clock = manualClock();
  let isAway = true;
  const put = (): Promise<ImageId> =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve('id' as ImageId);
  const sign = () => ({ url: 'http://gateway/files/id', expiresAtSeconds: 1 });
  const shelf = new ImageShelf({ store: { put }, urls: { sign }, clock });
  const store = (): Promise<string> => shelf.urlOf(FILE).then(({ url }) => url, codeOf);
  const admit = (response_format: 'url' | 'b64_json'): string => {
    const request = readImagesRequest({
      model: 'img',
      prompt: 'x',
      size: '1024x1024',
      response_format,
    });
    const order = imageOrder({
      ...{ request, inputs: null, shelf, memory: new AnswerMemory(0, clock).open() },
      ...{ onBegun: () => {}, releaseBody: () => {} },
    });
    try {
      order.admit(smallCatalogue(), () => true);
      return 'admitted';
    } catch (thrown) {
      return codeOf(thrown);
    }
  };
  expect([await store(), admit('url')]).toEqual(['store_unavailable', 'admitted']);
  isAway = false;
  expect(await store()).toBe('http://gateway/files/id');
  isAway = true;
  expect([await store(), admit('url')]).toEqual(['store_unavailable', 'admitted']);
  expect([await store(), admit('url')]).toEqual(['store_unavailable', 'store_unavailable']);
  expect(admit('b64_json')).toBe('admitted');
  clock.advance(10_000);
  expect(admit('url')).toBe('admitted');
});

const codeOf = (thrown: unknown): string =>
  thrown instanceof GatewayError ? thrown.code : String(thrown);
