import { describe, expect, test } from 'bun:test';
import { JsonScan, type ScannedObject } from '../json/scan.ts';
import { estimateInputTokens } from './input-estimate.ts';
import { readCountTokensRequest } from './messages/request.ts';

const scanned = (json: unknown): ScannedObject => {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
};
const estimate = (json: unknown): number => {
  const body = scanned(json);
  return estimateInputTokens(body, readCountTokensRequest(body.view()).inputs);
};
const words = (count: number): string => 'word '.repeat(count);
const asking = (content: unknown, more: object = {}) => ({
  model: 'gen-v4-pro',
  messages: [{ role: 'user', content }],
  ...more,
});

describe('the estimated tokens of a prompt', () => {
  test('are one per four bytes', () => {
    expect(estimate(asking(words(8_000))) - estimate(asking(words(4_000)))).toBe(5_000);
  });

  test('include system text and tools', () => {
    const tools = [{ name: 'f', description: words(400), input_schema: { type: 'object' } }];
    expect(estimate(asking('Hi', { system: words(400) }))).toBeGreaterThan(500);
    expect(estimate(asking('Hi', { tools }))).toBeGreaterThan(500);
  });

  test('exclude what no model reads', () => {
    const metadata = { user_id: words(400) };
    expect(estimate(asking('Hi', { metadata, model: words(400) }))).toBe(estimate(asking('Hi')));
  });

  test('are the same for every image, whatever its bytes', () => {
    const image = (bytes: number) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K'.repeat(bytes / 8) },
    });
    expect(estimate(asking([image(8_000_000)]))).toBe(estimate(asking([image(8_000)])));
    const second =
      estimate(asking([image(8_000), image(8_000)])) - estimate(asking([image(8_000)]));
    expect(second).toBeWithin(2_000, 2_030);
  });

  test('are at least 1', () => {
    expect(estimateInputTokens(scanned({}), [])).toBe(1);
  });
});
