import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { encodedData, readEmbeddingsAnswer, writeEmbeddings } from './answer.ts';

const COST = { usd: '0.000001', exact: '0.000001000', currency: 'USD', estimated: null } as const;
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function delivered(text: string, count: number) {
  const answer = await readEmbeddingsAnswer(bytesOf(text), count, NO_QUIRKS);
  if (answer.kind === 'error') throw new Error(answer.error.message);
  return answer;
}
const floats = (values: readonly number[]): string =>
  Buffer.from(new Float32Array(values).buffer).toString('base64');

describe('the embeddings answer', () => {
  test('keeps its bytes but for the model and the usage', async () => {
    const data = '[ {"index":0, "embedding": [0.10, -1e-3],\n"object":"embedding"} ]';
    const answer = await delivered(
      `{"object":"list","data":${data},"model":"theirs","usage":{"prompt_tokens":3,"cost":1}}`,
      1,
    );
    expect(answer.tokens).toBe(3);
    const terms = { model: 'ours', tokens: 3, cost: COST };
    const written = new TextDecoder().decode(writeEmbeddings(answer, null, terms));
    expect(written).toBe(
      `{"object":"list","data":${data},"model":"ours","usage":{"prompt_tokens":3,"total_tokens":3,` +
        '"cost":0.000001,"cost_exact":"0.000001000","cost_currency":"USD"}}',
    );
  });

  test('finds one embedding per input, whatever the order of members and the white space', async () => {
    for (const item of [
      '{"object":"embedding","embedding":[1]}',
      '{"embedding" : [1],"object":"embedding"}',
      '{"embedding":\n"AACAPw==","note":"\\"embedding\\": [2]"}',
    ]) {
      const { embeddings } = await delivered(`{"data":[${item},${item}]}`, 2);
      expect(embeddings).toHaveLength(2);
    }
  });

  test('is converted exactly between numbers and base64', async () => {
    const vectors = fc.array(
      fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(vectors, async (lists) => {
        const inNumbers = JSON.stringify({ data: lists.map((embedding) => ({ embedding })) });
        const inText = JSON.stringify({
          data: lists.map((embedding) => ({ embedding: floats(embedding) })),
        });
        const toText = await encodedData(await delivered(inNumbers, lists.length), 'base64');
        expect(JSON.parse(Buffer.from(toText ?? []).toString())).toEqual(JSON.parse(inText).data);
        const toNumbers = await encodedData(await delivered(inText, lists.length), 'float');
        const read: { embedding: number[] }[] = JSON.parse(Buffer.from(toNumbers ?? []).toString());
        expect(read.map(({ embedding }) => floats(embedding))).toEqual(
          // Adding 0 converts -0 to 0, because `JSON.stringify` writes -0 as `0`.
          lists.map((list) => floats(list.map((each) => each + 0))),
        );
        expect(await encodedData(await delivered(inText, lists.length), 'base64')).toBeNull();
      }),
      { seed: 20_261_122, numRuns: 50 },
    );
  });

  test('of several megabytes is read and converted in turns', async () => {
    const embedding = Array.from({ length: 1000 }, (_, at) => at / 1000);
    const text = JSON.stringify({ data: Array.from({ length: 300 }, () => ({ embedding })) });
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const answer = await delivered(text, 300);
    const data = await encodedData(answer, 'base64');
    isOver = true;
    expect(turns).toBeGreaterThan(10);
    const [first] = JSON.parse(Buffer.from(data ?? []).toString());
    expect(first.embedding).toBe(floats(embedding));
  });

  test.each([
    ['', 1],
    ['null', 1],
    ['[]', 1],
    ['{}', 1],
    ['{"data":[]}', 1],
    ['{"data":[{"embedding":[1]}]}', 2],
    ['{"data":[{"embedding":[1]},{"embedding":[1]}]}', 1],
    ['{"data":[{"embedding":{}}]}', 1],
    ['{"data":[{"embedding":[1]},{"embedding":"AACAPw=="}]}', 2],
    ['{"data":[{"embedding":[1', 1],
    ['{"data":[{"embedding":[1,NaN]}]}', 1],
    ['{"data":[{"embedding":[-Infinity,1]}]}', 1],
    ['{"data":[{"embedding":[1,2]},{"embedding":[1,null]}]}', 2],
    ['{"data":[{"embedding":["1"]}]}', 1],
    ['{"data":[{"embedding":[1,true]}]}', 1],
    ['{"data":[{"embedding":[false,1]}]}', 1],
    ['{"data":[{"embedding":[[1,2],[3,4]]}]}', 1],
    ['{"data":[{"embedding":[{},1]}]}', 1],
  ])('%s for %d inputs is a failed upstream', async (text, count) => {
    expect(readEmbeddingsAnswer(bytesOf(text), count, NO_QUIRKS)).rejects.toThrow(
      expect.objectContaining({ code: 'upstream_failed' }),
    );
  });

  test.each([
    ['{"data":[{"embedding":[1,]}]}', 'base64'],
    ['{"data":[{"embedding":"AACAPw"}]}', null],
    ['{"data":[{"embedding":"AAA="}]}', 'float'],
    ['{"data":[{"embedding":""}]}', 'float'],
    [`{"data":[{"embedding":"${floats([1, Number.NaN])}"}]}`, 'float'],
  ] as const)('%s cannot be converted to %s', async (text, wanted) => {
    const answer = await delivered(text, 1);
    if (wanted === null) expect(await encodedData(answer, 'float')).not.toBeNull();
    else expect(encodedData(answer, wanted)).rejects.toBeInstanceOf(GatewayError);
  });

  test('reports an error in a 200, also at the top level', async () => {
    for (const text of [
      '{"error":{"message":"no"},"data":[]}',
      '{"object":"error","message":"no","code":400}',
    ]) {
      expect(await readEmbeddingsAnswer(bytesOf(text), 1, NO_QUIRKS)).toMatchObject({
        kind: 'error',
        error: { message: 'no' },
      });
    }
  });
});
