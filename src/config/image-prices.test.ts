import { describe, expect, test } from 'bun:test';
import { changedFile, problemsIn } from './file.fixture.ts';

const BY_TOKEN = '{ input: "5.00", image_output: "30.00" }';
/** The small file, in which the image model has prices per token. */
const FILE = changedFile(
  `    default_channel: direct
    channels:
      direct:
        price: { per_image: { 512x512: "0.01", 512x512/hd: "0.02", 1024x1024: "0.03", 1024x1024/hd: "0.04" } }`,
  `    image_tokens: { 512x512: 300, 1024x1024/standard: 1000, 1024x1024/hd: 4000 }
    default_channel: direct
    channels:
      direct:
        price: ${BY_TOKEN}`,
);
const problems = (piece: string, by: string, file = FILE): readonly string[] =>
  problemsIn(changedFile(piece, by, file)).map((problem) =>
    problem.replace('models.img-x.', '').replace('channels.direct.', ''),
  );
const priced = (more: string): readonly string[] =>
  problems(BY_TOKEN, `{ input: "5.00", image_output: "30.00", ${more} }`);
const row = (when: string): string => `{ when: ${when}, input: "6.00", image_output: "40.00" }`;

test('images are priced by the token, with rows for sizes and qualities', () => {
  expect(problemsIn(FILE)).toEqual([]);
  const both = row('{ quality: hd, size: 1024x1024 }');
  const rows = [row('{ quality: hd }'), row('{ size: [1024x1024] }'), both];
  expect(priced(`output: "10", cache_read: "1", fees: { request: "0.1" }`)).toEqual([]);
  expect(priced(`rows: [${rows}], names: { quality: { high: hd } }`)).toEqual([]);
  expect(priced('rows: [{ when: { quality: hd }, scale: "2" }]')).toEqual([]);
  expect(priced('rows: [{ when: { quality: hd }, input: "-", image_output: "-" }]')).toEqual([]);
});

test('a model that edits images needs a price for their tokens, or one per image', () => {
  const edits = (price: string): readonly string[] =>
    problems(
      `1024x1024/hd: 4000 }\n    default_channel: direct\n    channels:\n      direct:\n        price: {`,
      `1024x1024/hd: 4000 }\n    max_input_images: 2\n    default_channel: direct\n    channels:\n      direct:\n        price: { ${price}`,
    );
  expect(edits('image_input: "8.00",')).toEqual([]);
  expect(edits('')).toEqual([
    'modelgate.yaml:24: price.image_input: is missing: the model edits images (max_input_images), so they need a price',
  ]);
});

describe('is refused with its line and what to do', () => {
  test.each([
    [
      'per_image: { 512x512: "1", 512x512/hd: "2", 1024x1024: "3", 1024x1024/hd: "4" }',
      [
        'modelgate.yaml:23: price.input: cannot be combined with `per_image`; write one of them',
        'modelgate.yaml:23: price.image_output: cannot be combined with `per_image`; write one of them',
      ],
    ],
    [
      `rows: [${row('{ quality: max }')}]`,
      [
        'modelgate.yaml:23: price.rows.0.when.quality: can never be max: the model offers standard, hd; add it to `qualities`, or write one of these',
      ],
    ],
    [
      'times: [{ when: { size: 2048x2048 }, tokens: "2" }]',
      [
        'modelgate.yaml:23: price.times.0.when.size: can never be 2048x2048: the model offers 512x512, 1024x1024; add it to `sizes`, or write one of these',
      ],
    ],
    [
      `rows: [${row('{ quality: hd }')}, ${row('{ size: 512x512 }')}]`,
      [
        'modelgate.yaml:23: price.rows.1: applies to some of the same requests as rows.0; add a last row that has the conditions of both, and its prices, or "-" for not sold',
      ],
    ],
    [
      `rows: [${row('{ quality: hd }')}, ${row('{ quality: [standard, hd] }')}]`,
      [
        'modelgate.yaml:23: price.rows.0: can never apply: a later row applies to the same requests',
      ],
    ],
    [
      `cache_read: "1", rows: [${row('{ quality: hd }')}]`,
      [
        'modelgate.yaml:23: price.rows.0.cache_read: is missing, although the price without conditions has it; write a price, or "-" if these tokens are not sold under these conditions',
      ],
    ],
    [
      'rows: [{ when: { quality: hd }, input: "6.00" }]',
      [
        'modelgate.yaml:23: price.rows.0.image_output: is missing: each row needs either its own prices or a `scale`',
      ],
    ],
    [
      'names: { quality: { high: max } }',
      [
        'modelgate.yaml:23: price.names.quality.high: is max: the model offers standard, hd; add it to `qualities`, or write one of these',
      ],
    ],
    [
      `names: { quality: { hd: standard } }, rows: [${row('{ quality: hd }')}]`,
      [
        'modelgate.yaml:23: price.rows.0.when.quality: can never be hd, because names.quality maps this value to standard; write standard',
      ],
    ],
    [
      'fees: { web_search: "1" }',
      ['modelgate.yaml:23: price.fees.web_search: unknown key; known here: request'],
    ],
  ])('%s', (more, expected) => {
    expect(priced(more)).toEqual(expected);
  });

  test('a price without prices', () => {
    const remedy = 'write `per_image`, or `input` and `image_output` per 1M tokens';
    expect(problems(BY_TOKEN, '{ example: true }')).toEqual([
      `modelgate.yaml:23: price: has no prices: ${remedy}`,
    ]);
    expect(problems(BY_TOKEN, '{ input: "5.00" }')).toEqual([
      `modelgate.yaml:23: price.image_output: is missing: ${remedy}`,
    ]);
  });

  test('an image without the most tokens that it may have', () => {
    expect(problems(', 1024x1024/hd: 4000', ', 1024x1024/max: 4000')).toEqual([
      'modelgate.yaml:19: image_tokens.1024x1024/max: is not offered by the model; it offers 512x512, 512x512/standard, 512x512/hd, 1024x1024, 1024x1024/standard, 1024x1024/hd',
      'modelgate.yaml:19: image_tokens.1024x1024/hd: is missing: holds need the maximum number of output tokens of such an image',
    ]);
  });

  test('a quality in the price of a model without qualities, or of a chat model', () => {
    const plain = changedFile('    qualities: [standard, hd]\n', '', FILE).replace('/standard', '');
    expect(
      problems(BY_TOKEN, BY_TOKEN.replace(' }', `, rows: [${row('{ quality: hd }')}] }`), plain),
    ).toContain(
      'modelgate.yaml:22: price.rows.0.when.quality: can never be hd: list it under `qualities` of the model',
    );
    const chat = `input: "5.00", output: "25.00", rows: [{ when: { quality: hd }, scale: "2" }]`;
    const [problem] = problemsIn(changedFile('input: "5.00", output: "25.00"', chat));
    expect(problem).toStartWith(
      'modelgate.yaml:12: models.gen-x.channels.direct.price.rows.0.when.quality: unknown key',
    );
  });

  test('names of reported qualities beside prices per image', () => {
    const [problem] = problemsIn(
      changedFile('per_image: {', 'names: { quality: { high: max } }, per_image: {'),
    );
    expect(problem).toContain('price.names.quality.high: is max: the model offers standard, hd');
  });

  test('a cost in either form', () => {
    const cost = `${BY_TOKEN}\n        cost: { per_image: { 512x512: "1" } }`;
    expect(problems(BY_TOKEN, cost)).toEqual([]);
    expect(problems(BY_TOKEN, `${BY_TOKEN}\n        cost: { output: "1" }`)).toEqual([
      'modelgate.yaml:24: cost: has no prices: write `per_image`, or `input` and `image_output` per 1M tokens',
    ]);
  });
});
