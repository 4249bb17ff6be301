import { expect, test } from 'bun:test';
import { finish } from '../config/document/steps.ts';
import { changedRecordSteps } from './difference.ts';

const RECORDS = 1_000;

/** Returns a document that calls `read` whenever one of its records is converted to JSON. */
function documentOf(read: () => void, change = '') {
  const record = (at: number) => ({
    toJSON: () => {
      read();
      return { name: `${at}${at === 7 ? change : ''}` };
    },
  });
  const entries = Array.from({ length: RECORDS }, (_, at) => [`model-${at}`, record(at)]);
  return { fx: {}, models: Object.fromEntries(entries) };
}

test('no step compares more than one record with its other', () => {
  let read = 0;
  const count = (): void => {
    read += 1;
  };
  const steps = changedRecordSteps(documentOf(count), documentOf(count, 'x'));
  let most = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    most = Math.max(most, read);
    read = 0;
  }
  expect(most).toBe(2);
});

test('only changed, new and removed records remain', () => {
  const same = { a: 1 };
  const before = { fx: { x: '1' }, models: { same, was: same, gone: same }, limits: same };
  const after = { fx: { x: '1' }, models: { same: { a: 1 }, was: { a: 2 }, new: same } };
  expect(finish(changedRecordSteps(before, after))).toEqual([
    { fx: {}, models: { was: same, gone: same }, limits: same },
    { fx: {}, models: { was: { a: 2 }, new: same } },
  ]);
});
