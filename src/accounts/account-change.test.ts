import { expect, test } from 'bun:test';
import { asGatewayError } from '../errors.ts';
import { checkedName } from './account-change.ts';

const named = (name: string): string => {
  try {
    return checkedName(name);
  } catch (thrown) {
    return asGatewayError(thrown).code;
  }
};

test('names are visible and on one line, also with joined emoji', () => {
  for (const name of ['a\u202eb', 'a\u200bb', 'a\u2066', 'a\nb', '\u200d', ' ']) {
    expect([name, named(name)]).toEqual([name, 'invalid_value']);
  }
  for (const name of ['👩\u200d💻', 'ابن\u200cسینا', '密钥', '-']) expect(named(name)).toBe(name);
});
