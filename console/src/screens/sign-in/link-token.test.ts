import { expect, test } from 'bun:test';
import { tokenIn, tokenOf } from './link-token.ts';

const TOKEN = 'Zk3-x_9Qw';

test('the token is read from a fragment in any notation', () => {
  expect([
    tokenIn(`#token=${TOKEN}`),
    tokenIn(`token=${TOKEN}`),
    tokenIn(`#a=1&token=${TOKEN}`),
  ]).toEqual([TOKEN, TOKEN, TOKEN]);
});

test('a fragment without a token yields null', () => {
  expect(['', '#', '#token=', '#token=%20', '#other=1'].map(tokenIn)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('accepts a pasted link, fragment or token, with spaces around it', () => {
  const link = `http://127.0.0.1:8787/console/setup#token=${TOKEN}`;
  expect(
    [link, ` ${link}\n`, `#token=${TOKEN}`, `token=${TOKEN}`, ` ${TOKEN} `].map(tokenOf),
  ).toEqual(Array(5).fill(TOKEN));
});

test('other text is not sent as a token', () => {
  expect(['', 'http://127.0.0.1:8787/console/setup', 'two words', '#'].map(tokenOf)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
