import { expect, test } from 'bun:test';
import { pastedId } from './pasted-id.ts';

const BODY = '01m7zmzga1cahvhq24m2ts4nrk';

test('an id says what it is of, with spaces around as well', () => {
  expect(pastedId(` req_${BODY}\n`)).toEqual({ kind: 'request', id: `req_${BODY}` });
  expect(pastedId(`key_${BODY}`)?.kind).toBe('key');
  expect(pastedId(`acc_${BODY}`)?.kind).toBe('account');
});

test('what is typed on the way to one, or only looks like one, is none', () => {
  const others = [
    '',
    'req',
    'req_',
    `req_${BODY.slice(1)}`,
    `req_${BODY}x`,
    `usr_${BODY}`,
    `req-${BODY}`,
  ];
  expect(others.map(pastedId)).toEqual(others.map(() => null));
});
