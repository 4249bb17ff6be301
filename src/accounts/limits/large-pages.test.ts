import { expect, test } from 'bun:test';
import { inTurn } from './large-pages.ts';

const asked = (limit: number) => ({ url: `http://gateway/v1/keys?limit=${limit}` });

test('large pages of one account are read one after the other, also after a failure', async () => {
  const begun: string[] = [];
  const open = Promise.withResolvers<void>();
  const read = (name: string, account: string, request = asked(1_000)) =>
    inTurn(account, request, async () => {
      begun.push(name);
      await open.promise;
      return new Response();
    });
  const failed = Promise.withResolvers<Response>();
  const first = inTurn('alice', asked(1_000), () => failed.promise);
  const all = [read('second', 'alice'), read('of bob', 'bob'), read('small', 'alice', asked(100))];
  while (!begun.includes('of bob')) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['small', 'of bob']);
  failed.reject(new Error('the store failed'));
  open.resolve();
  expect((await Promise.allSettled([first, ...all])).map(({ status }) => status)).toEqual([
    'rejected',
    ...all.map(() => 'fulfilled' as const),
  ]);
  expect(begun.at(-1)).toBe('second');
});
