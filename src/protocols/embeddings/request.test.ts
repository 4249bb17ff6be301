import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import { scanObject } from '../../json/scan.ts';
import { readEmbeddingsRequest } from './request.ts';

const read = (json: string) =>
  readEmbeddingsRequest(scanObject(new TextEncoder().encode(json), 64));
const inputsOf = (input: unknown, space = '') =>
  read(`{${space}"input"${space}:${space}${JSON.stringify(input)},"model":"m"}`).inputs;

/** Returns the code and the parameter of the error. */
function refusal(json: string): string {
  try {
    read(json);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `${thrown.code} ${thrown.param}`;
    throw thrown;
  }
  return 'accepted';
}

describe('embeddings request', () => {
  test('requires only model and input; absent and null mean the default', () => {
    const plain = read('{"model":"m","input":"a"}');
    expect(plain).toMatchObject({ model: 'm', encoding: 'float', dimensions: null, channel: null });
    const nulls = '"encoding_format":null,"dimensions":null,"user":null,"provider":null';
    expect(read(`{"model":"m","input":"a",${nulls}}`)).toEqual(plain);
    expect(refusal('{"input":"a"}')).toBe('missing_required_parameter model');
    expect(refusal('{"model":"m"}')).toBe('missing_required_parameter input');
    expect(refusal('{"model":"m","input":[1],"dimensions":"x"}')).toBe('invalid_value dimensions');
  });

  test('has a short type of input, which some models read before each input', () => {
    const typed = (type: unknown) =>
      refusal(`{"model":"m","input":"a","input_type":${JSON.stringify(type)}}`);
    expect([typed('query'), typed(null), typed('x'.repeat(64))]).toEqual(Array(3).fill('accepted'));
    for (const type of ['x'.repeat(65), 5, ['query'], {}])
      expect(typed(type)).toBe('invalid_value input_type');
  });

  test('measures text by its UTF-8 bytes, and the longest one by its place', () => {
    expect(inputsOf('你好')).toMatchObject({
      ...{ count: 1, areTokens: false, size: 6, likely: 2, longest: { param: 'input', size: 6 } },
    });
    expect(inputsOf(['a', 'abcde', 'b'])).toMatchObject({
      ...{ count: 3, size: 7, likely: 4, longest: { param: 'input[1]', size: 5 } },
    });
  });

  test('counts tokens exactly, in any white space', () => {
    expect(inputsOf([1, 20, 300_000], '\n ')).toMatchObject({
      ...{ count: 1, areTokens: true, size: 3, likely: 3, longest: { param: 'input', size: 3 } },
    });
    expect(read('{"model":"m","input": [ [0 ,7\n] , [ 5 ] ]}').inputs).toMatchObject({
      ...{ count: 2, areTokens: true, size: 3, longest: { param: 'input[0]', size: 2 } },
    });
  });

  test('counts any lists of tokens, and refuses all other numbers by their place', () => {
    const lists = fc.array(fc.array(fc.nat(999_999_999), { minLength: 1 }), { minLength: 1 });
    const spaces = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(lists, spaces, (tokens, space) => {
        const json = JSON.stringify(tokens).replaceAll(',', `${space},${space}`);
        const { inputs } = read(`{"model":"m","input":${json}}`);
        expect(inputs.count).toBe(tokens.length);
        expect(inputs.size).toBe(tokens.flat().length);
        expect(inputs.longest.size).toBe(Math.max(...tokens.map(({ length }) => length)));
      }),
      { seed: 20_261_122 },
    );
    for (const wrong of ['-1', '1.5', '1e3', '1234567890', 'null', 'true', '"a"', '{}', '01', '+1'])
      expect(refusal(`{"model":"m","input":[[1],[2,${wrong}]]}`)).toBe('invalid_value input[1][1]');
  });

  test('bounds the tokens of text from above', () => {
    // One token for each byte of JSON, and four that the model may add to each of the two inputs.
    expect(inputsOf(['abc', 'd']).most).toBe('["abc","d"]'.length + 8);
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }),
        (texts) => {
          const { most, likely, size } = inputsOf(texts);
          expect(most).toBeGreaterThanOrEqual(likely);
          expect(size).toBe(Buffer.byteLength(texts.join('')));
        },
      ),
      { seed: 20_261_122 },
    );
  });

  test('reads any JSON or refuses it with a field', () => {
    const field = fc.constantFrom('model', 'input', 'dimensions', 'encoding_format', 'provider');
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (body) => {
        expect(refusal(JSON.stringify(body))).toMatch(
          /^(accepted|missing_required_parameter \w+|invalid_value [\w.[\]]+)$/,
        );
      }),
      { seed: 20_261_122, numRuns: 500 },
    );
  });

  test('refuses invalid JSON in the input as such', () => {
    expect(refusal('{"model":"m","input":["a\\x"]}')).toBe('invalid_json null');
    expect(refusal('{"model":"m","input":["a",]}')).toBe('invalid_json null');
    expect(refusal('{"model":"m" "input":[1]}')).toMatch(/^invalid_json|^missing/);
  });
});
