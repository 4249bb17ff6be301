import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { ImagesStreamPass, imagesDialect } from './stream-pass.ts';

const MOMENT = { requestId: 'req_1', createdSeconds: 1, model: 'm', started: true };
const COST = { usd: '0.01', exact: '0.010000000', currency: 'USD', estimated: null };
const CHARGED = { ...NO_USAGE, input: 20, imageOutput: 300 };
const event = (type: string, more: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const PARTIAL = { b64_json: 'AAAA', partial_image_index: 0, created_at: 1, size: '64x64' };
const USAGE = {
  ...{ input_tokens: 20, output_tokens: 372, total_tokens: 392 },
  input_tokens_details: { text_tokens: 20, image_tokens: 0 },
};
const DONE = { b64_json: 'BBBB', created_at: 2, size: '64x64', quality: 'high', usage: USAGE };

function open(kind: 'image_generation' | 'image_edit' = 'image_generation') {
  const form = { size: '64x64', output_format: 'png' as const };
  const limits = { maxEventBytes: 10_000, quirks: NO_QUIRKS, createdSeconds: 7 };
  const pass = new ImagesStreamPass({ kind, form, ...limits });
  pass.charged = CHARGED;
  const push = (text: string) =>
    new TextDecoder().decode(pass.push(new TextEncoder().encode(text)));
  const finish = () => new TextDecoder().decode(pass.finish(COST));
  return { pass, push, finish };
}
const dataOf = (text: string) => JSON.parse(/^event: (\S+)\ndata: (.*)\n\n$/.exec(text)?.[2] ?? '');
const CHARGED_USAGE = {
  ...{ input_tokens: 20, output_tokens: 300, total_tokens: 320 },
  input_tokens_details: { text_tokens: 20, image_tokens: 0, cached_tokens: 0 },
  output_tokens_details: { text_tokens: 0, image_tokens: 300 },
  ...{ cost: 0.01, cost_exact: '0.010000000', cost_currency: 'USD' },
};

describe('a stream of images', () => {
  test('passes partial images, and ends with the image, its usage and its cost', () => {
    const { pass, push, finish } = open();
    expect(push(event('image_generation.partial_image', PARTIAL))).toBe(
      event('image_generation.partial_image', PARTIAL),
    );
    expect([pass.started, pass.ended]).toEqual([true, false]);
    // The last event is buffered until the cost is known.
    expect(push(event('image_generation.completed', DONE))).toBe('');
    expect(pass.ended).toBe(true);
    expect(pass.facts.usage).toEqual({ ...NO_USAGE, input: 20, imageOutput: 372 });
    expect(pass.facts.served).toMatchObject({ size: '64x64', quality: 'high' });
    expect(dataOf(finish())).toEqual({
      ...{ type: 'image_generation.completed', ...DONE },
      usage: CHARGED_USAGE,
    });
  });

  test('names its events by the endpoint of the caller', () => {
    const { push, finish } = open('image_edit');
    const partial = push(event('image_generation.partial_image', PARTIAL));
    expect(partial.startsWith('event: image_edit.partial_image\n')).toBe(true);
    expect(dataOf(partial)).toEqual({ type: 'image_edit.partial_image', ...PARTIAL });
    push(event('image_generation.completed', DONE));
    expect(finish().startsWith('event: image_edit.completed\n')).toBe(true);
  });

  test('is the same whatever pieces it arrives in', () => {
    const whole =
      event('image_generation.partial_image', PARTIAL) + event('image_generation.completed', DONE);
    const plain = open();
    const expected = plain.push(whole) + plain.finish();
    for (let cut = 1; cut < whole.length; cut++) {
      const { push, finish } = open();
      expect(push(whole.slice(0, cut)) + push(whole.slice(cut)) + finish()).toBe(expected);
    }
  });

  test('cut off before the end has not ended', () => {
    const whole = event('image_generation.completed', DONE);
    for (let cut = 0; cut < whole.length - 1; cut++) {
      const { pass, push } = open();
      push(whole.slice(0, cut));
      expect(pass.ended).toBe(false);
    }
  });

  test.each([
    [
      'an error event',
      'event: error\ndata: {"type":"error","error":{"message":"no","code":"x"}}\n\n',
      'no',
    ],
    ['an error object', 'data: {"error":{"message":"no"}}\n\n', 'no'],
    [
      'an end without an image',
      event('image_generation.completed', { ...DONE, b64_json: '' }),
      'without an image',
    ],
    ['no JSON', 'data: hello\n\n', 'not JSON'],
  ])('reports %s', (_what, text, message) => {
    const { pass, push } = open();
    expect(push(text)).toBe('');
    expect(pass.ended).toBe(false);
    expect(pass.facts.error?.message).toContain(message);
  });

  test('ignores other events and an end mark', () => {
    const { pass, push } = open();
    expect(push('data: {"type":"image_generation.in_progress"}\n\ndata: [DONE]\n\n')).toBe('');
    expect(pass.facts.error).toBeNull();
  });

  test('of an upstream that does not stream has one event', () => {
    const { pass, finish } = open('image_edit');
    pass.complete(new Uint8Array([1, 2, 3]), CHARGED, NOTHING_SERVED);
    expect([pass.ended, pass.facts.usage]).toEqual([true, CHARGED]);
    expect(dataOf(finish())).toEqual({
      ...{ type: 'image_edit.completed', b64_json: 'AQID', created_at: 7, size: '64x64' },
      ...{ quality: 'auto', background: 'auto', output_format: 'png', usage: CHARGED_USAGE },
    });
  });

  test('reports a failure as an error event', () => {
    const error = new GatewayError('upstream_truncated', 'cut');
    expect(dataOf(new TextDecoder().decode(imagesDialect.errorEvent(error, MOMENT)))).toEqual({
      type: 'error',
      error: { message: 'cut', type: 'upstream_error', param: null, code: 'upstream_truncated' },
    });
  });
});
