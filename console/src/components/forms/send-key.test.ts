import { expect, test } from 'bun:test';
import { isSendPress, type Press } from './send-key.ts';

const ENTER: Press = {
  ...{ key: 'Enter', shiftKey: false, altKey: false, isComposing: false, keyCode: 13 },
};

test('Enter sends, Shift+Enter breaks the line, and other keys do neither', () => {
  expect(isSendPress(ENTER)).toBe(true);
  expect(isSendPress({ ...ENTER, shiftKey: true })).toBe(false);
  expect(isSendPress({ ...ENTER, altKey: true })).toBe(false);
  expect(isSendPress({ ...ENTER, key: 'a', keyCode: 65 })).toBe(false);
});

test('the Enter that accepts a word of an input method does not send', () => {
  expect(isSendPress({ ...ENTER, isComposing: true })).toBe(false);
  expect(isSendPress({ ...ENTER, keyCode: 229 })).toBe(false);
});
