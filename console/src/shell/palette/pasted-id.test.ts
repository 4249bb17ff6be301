import { expect, test } from 'bun:test';
import { isRedeemCode, pastedId } from './pasted-id.ts';

const BODY = '01m7zmzga1cahvhq24m2ts4nrk';

test('recognizes an id by its prefix, also with spaces around it', () => {
  expect(pastedId(` req_${BODY}\n`)).toEqual({ kind: 'request', id: `req_${BODY}` });
  expect(pastedId(`key_${BODY}`)?.kind).toBe('key');
  expect(pastedId(`acc_${BODY}`)?.kind).toBe('account');
});

test('ignores incomplete and similar text', () => {
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

test('recognizes a redeem code in any form in which it is typed', () => {
  const code = 'MG-7K3VQ-ABCDE-12345-FGHJK-MNPQR';
  const forms = [code, ` ${code.toLowerCase()} `, code.replaceAll('-', ' ')];
  expect(forms.map(isRedeemCode)).toEqual([true, true, true]);
  expect([code.slice(1), `${code}-X`, 'mg'].map(isRedeemCode)).toEqual([false, false, false]);
});
