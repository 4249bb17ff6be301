import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { textVector, tokensVector, VECTOR_LENGTH } from './text-vector.ts';

const product = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, each, at) => sum + each * (other[at] ?? 0), 0);
const likeness = (one: string, other: string, length = VECTOR_LENGTH): number =>
  product(textVector(one, length), textVector(other, length));

describe('the vector of a text', () => {
  test('has the length 1, and is the same each time', () => {
    const lengths = fc.integer({ min: 1, max: VECTOR_LENGTH });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), lengths, (text, length) => {
        const vector = textVector(text, length);
        expect(vector).toHaveLength(length);
        expect(product(vector, vector)).toBeCloseTo(1, 4);
        expect(textVector(text, length)).toEqual(vector);
      }),
      { seed: 20_261_122 },
    );
  });

  test.each([
    ['The cat sleeps on the sofa.', 'A cat is sleeping on a sofa', 'Interest rates rose again'],
    ['How do I reset my password?', 'resetting a forgotten password', 'Opening hours of the store'],
    ['Réinitialiser le mot de passe', 'un mot de passe réinitialisé', 'La météo à Paris'],
    ['如何重置我的密码？', '忘记密码后怎样重置密码', '今天北京的天气很好'],
    ['猫在沙发上睡觉', '一只猫睡在沙发上', '利率再次上升'],
    ['パスワードを再設定する方法', 'パスワードの再設定', '今日は天気がいいです'],
    ['비밀번호를 재설정하는 방법', '비밀번호 재설정', '오늘 날씨가 좋다'],
  ])('%s is nearer to %s than to %s', (text, similar, unlike) => {
    for (const length of [VECTOR_LENGTH, 256])
      expect(likeness(text, similar, length)).toBeGreaterThan(
        likeness(text, unlike, length) + 0.15,
      );
  });

  test('ignores case and width, and ranks a passage by the words of a question', () => {
    expect(likeness('HELLO World', 'hello ｗorld')).toBeCloseTo(1, 5);
    const passages = [
      'Invoices are sent on the first day of each month to the billing address.',
      'To change your e-mail address, open Settings and confirm the new address.',
      'Refunds take five days and go back to the card that paid.',
    ];
    const ranked = passages.toSorted(
      (a, b) =>
        likeness('When do refunds arrive on my card?', b) -
        likeness('When do refunds arrive on my card?', a),
    );
    expect(ranked[0]).toBe(passages[2] ?? '');
  });
});

test('inputs of tokens are near if they share tokens', () => {
  const vector = (tokens: readonly number[]) => tokensVector(tokens, VECTOR_LENGTH);
  const [one, similar, unlike] = [vector([1, 2, 3, 4]), vector([1, 2, 3, 9]), vector([7, 8, 9, 6])];
  expect(product(one, similar)).toBeGreaterThan(product(one, unlike) + 0.3);
  expect(product(one, vector([1, 2, 3, 4]))).toBeCloseTo(1, 5);
});
