import { describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { manualClock } from '../../clock.fixture.ts';
import { answerImages, REFUSED_WORDS } from './images-answer.ts';

const never = new AbortController().signal;

type Answer = { readonly created: number; readonly data: readonly Item[] };
type Item = { readonly b64_json: string; readonly revised_prompt?: string };

async function draw(fields: Record<string, unknown>): Promise<Answer> {
  const answer = await answerImages(
    { model: 'x', size: '256x256', ...fields },
    never,
    manualClock(),
  );
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
}

const pictureOf = async (fields: Record<string, unknown>): Promise<string> =>
  (await draw(fields)).data[0]?.b64_json ?? '';

/** Sends a request that must be refused, and returns the error object together with the status. */
async function refusalOf(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const answer = await answerImages(fields, never);
  const body = (await answer.json()) as { error: Record<string, unknown> };
  return { status: answer.status, ...body.error };
}

/**
 * Returns the mean red, green and blue of an area of a picture. The bounds of the area are
 * fractions of the picture's width and height.
 */
async function meanColor(
  base64: string,
  [left, top, wide, tall]: readonly [number, number, number, number],
): Promise<readonly [number, number, number]> {
  const picture = sharp(Buffer.from(base64, 'base64'));
  const { width, height } = await picture.metadata();
  const part = await picture
    .extract({
      left: Math.round(left * width),
      top: Math.round(top * height),
      width: Math.round(wide * width),
      height: Math.round(tall * height),
    })
    .toBuffer();
  const { channels } = await sharp(part).stats();
  const mean = (channel: number): number => channels[channel]?.mean ?? 0;
  return [mean(0), mean(1), mean(2)];
}

const SKY = [0, 0, 1, 0.3] as const;

describe('built-in images', () => {
  test('returns a PNG of exactly the requested size', async () => {
    for (const size of ['256x256', '512x512', '1024x1024', '1792x1024', '1024x1792']) {
      const bytes = Buffer.from(await pictureOf({ prompt: 'a cat', size }), 'base64');
      expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(size);
    }
  });

  test('the same request gets the same pictures; each of n differs', async () => {
    const order = { prompt: 'a sailboat at sunset', n: 3 };
    const first = await draw(order);
    expect(await draw(order)).toEqual(first);
    expect(new Set(first.data.map((item) => item.b64_json)).size).toBe(3);
  });

  test('pictures differ by model, prompt, style and quality', async () => {
    const pictures = await Promise.all([
      pictureOf({ prompt: 'a cat in the mountains' }),
      pictureOf({ prompt: 'a dog in the mountains' }),
      pictureOf({ prompt: 'a cat in the mountains', style: 'natural' }),
      pictureOf({ prompt: 'a cat in the mountains', quality: 'hd' }),
      pictureOf({ prompt: 'a cat in the mountains', model: 'y' }),
    ]);
    expect(new Set(pictures).size).toBe(5);
  });

  test('natural is less colorful than vivid', async () => {
    const spread = async (style: string): Promise<number> => {
      const sky = await meanColor(await pictureOf({ prompt: 'a meadow by day', style }), SKY);
      return Math.max(...sky) - Math.min(...sky);
    };
    expect(await spread('natural')).toBeLessThan((await spread('vivid')) * 0.75);
  });

  test.each([
    '悬崖上的灯塔，日落时分',
    'مرحبا بالعالم',
    '👨‍👩‍👧 <b>&\u0000\u0007\ud800\ufffe',
    ' ',
    'x'.repeat(32_000),
  ])('draws any prompt (%.12j)', async (prompt) => {
    expect((await pictureOf({ prompt })).length).toBeGreaterThan(10_000);
  });

  test('hd has more detail, so its file is larger', async () => {
    const bytes = async (quality: string): Promise<number> =>
      (await pictureOf({ prompt: 'a forest in the mountains', quality, size: '512x512' })).length;
    expect(await bytes('hd')).toBeGreaterThan((await bytes('standard')) * 1.1);
  });

  test('sends revised_prompt only for requests with a style or quality', async () => {
    const prompt = 'a red cube on sand';
    expect((await draw({ prompt })).data[0]).not.toHaveProperty('revised_prompt');
    const styled = await draw({ prompt, style: 'natural', quality: 'hd' });
    expect(styled.data[0]?.revised_prompt).toBe(
      'An abstract picture titled “a red cube on sand”, in natural, muted colors, in fine detail.',
    );
  });

  test('created is the time of the clock', async () => {
    expect((await draw({ prompt: 'a heart' })).created).toBe(1_790_000_000);
  });
});

describe('built-in images, refused', () => {
  test('returns content_policy_violation for a forbidden word', async () => {
    for (const word of REFUSED_WORDS) {
      expect(await refusalOf({ prompt: `Some ${word.toUpperCase()} please.` })).toMatchObject({
        status: 400,
        type: 'invalid_request_error',
        code: 'content_policy_violation',
        param: 'prompt',
      });
    }
    expect(
      (await answerImages({ prompt: 'categories of Goree', size: '16x16' }, never)).status,
    ).toBe(200);
  });

  test('returns 400 with the name of an invalid field', async () => {
    const prompt = 'a cat';
    for (const [param, fields] of [
      ['prompt', {}],
      ['prompt', { prompt: 7 }],
      ['size', { prompt, size: '99999x99999' }],
      ['size', { prompt, size: '0x10' }],
      ['size', { prompt, size: 'large' }],
      ['style', { prompt, style: 'baroque' }],
      ['n', { prompt, n: 0 }],
      ['n', { prompt, n: 11 }],
    ] as const) {
      expect(await refusalOf(fields)).toMatchObject({ status: 400, param });
    }
  });
});

describe('the drawing queue', () => {
  test('rejects with the reason of an abort, before and while drawing', async () => {
    const order = { prompt: 'a city at night', n: 10, quality: 'hd' };
    await expect(answerImages(order, AbortSignal.abort('gone'))).rejects.toBe('gone');
    const leaving = new AbortController();
    const answer = answerImages(order, leaving.signal);
    leaving.abort('left');
    await expect(answer).rejects.toBe('left');
    // This picture is drawn only if the aborted pictures have been removed from the queue.
    expect((await draw({ prompt: 'a heart' })).data.length).toBe(1);
  });

  test('returns 503 when the queue is full and draws the rest', async () => {
    const orders = Array.from({ length: 21 }, () =>
      answerImages({ prompt: 'a heart', n: 10, size: '16x16' }, never),
    );
    const statuses = (await Promise.all(orders)).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200).length).toBe(20);
    expect(statuses.filter((status) => status === 503).length).toBe(1);
  });
});
