import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { changedFile, SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { GatewayError } from '../errors.ts';
import { type Catalogue, CHANNELS, type ChatModel, findModel, pickChannel } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';

/** Returns a catalogue with copies of one model under these ids. */
function catalogueOf(...ids: string[]): Catalogue {
  const model = SMALL_FILE.slice(SMALL_FILE.indexOf('  gen-x:'), SMALL_FILE.indexOf('  img-x:'));
  const models = ids.map((id) => model.replace('gen-x:', `${id}:`)).join('');
  const file = `upstreams: { builtin: { protocol: builtin } }\nmodels:\n${models}`;
  return loadCatalogue(settingsOf(file), 0);
}
const SHOP = catalogueOf('gen-opus-4-8', 'gen-opus-4-7', 'gen-opus-4-6', 'gen-opus-4-5', 'img-3');

function refusal(run: () => unknown): GatewayError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error('it was not refused');
}

describe('a model', () => {
  test('is found by its exact id', () => {
    expect(findModel(SHOP, 'gen-opus-4-8').id).toBe('gen-opus-4-8');
  });

  test.each([
    [
      'gen-opus-48',
      'The model `gen-opus-48` does not exist. Did you mean gen-opus-4-8 or gen-opus-4-7 or gen-opus-4-6?',
    ],
    [
      'GEN-OPUS-4-5',
      'The model `GEN-OPUS-4-5` does not exist. Did you mean gen-opus-4-5 or gen-opus-4-8 or gen-opus-4-7?',
    ],
    [
      'gen-nothing-like-it',
      'The model `gen-nothing-like-it` does not exist. Did you mean gen-opus-4-8 or gen-opus-4-7 or gen-opus-4-6?',
    ],
    ['img', 'The model `img` does not exist. Did you mean img-3?'],
    ['other', 'The model `other` does not exist. GET /v1/models lists the models.'],
    ['', 'The model `` does not exist. GET /v1/models lists the models.'],
  ])('returns 404 for the unknown id %j, naming up to three similar ones', (id, message) => {
    const error = refusal(() => findModel(SHOP, id));
    expect(error.code).toBe('model_not_found');
    expect(error.status).toBe(404);
    expect(error.param).toBe('model');
    expect(error.message).toBe(message);
  });

  test('rejects a name of megabytes at once, without repeating it', () => {
    expect(refusal(() => findModel(SHOP, 'gen-'.repeat(2_000_000))).message.length).toBeLessThan(
      200,
    );
  });

  test('is never a property of every object', () => {
    for (const id of ['constructor', '__proto__', 'toString'])
      expect(refusal(() => findModel(SHOP, id)).code).toBe('model_not_found');
  });
});

describe('a channel', () => {
  const stable =
    '      stable: { price: { input: "6", output: "26" }, routes: [{ upstream: builtin, model: x }] }\n';
  const file = changedFile(
    '      direct:\n        price: { input',
    `${stable}      direct:\n        price: { input`,
  );
  const model = findModel(loadCatalogue(settingsOf(file), 0), 'gen-x');
  if (model.kind !== 'chat') throw new Error('gen-x is a chat model');
  const chat: ChatModel = model;
  const served = (asked: string | null, allowFallbacks = true): string =>
    pickChannel(chat, asked, allowFallbacks).name;

  test('of the model is served', () => {
    expect(served('stable')).toBe('stable');
    expect(served('direct')).toBe('direct');
    expect(served('stable', false)).toBe('stable');
  });

  test('defaults to the default channel', () => {
    expect(served(null)).toBe('direct');
    expect(served(null, false)).toBe('direct');
  });

  test('that is not enabled falls back to the default channel', () => {
    expect(served('economical')).toBe('direct');
  });

  test('of any unknown name falls back to the default channel', () => {
    const names: readonly string[] = CHANNELS;
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('Direct', ' direct', 'constructor', '')),
        (asked) => {
          fc.pre(!names.includes(asked));
          expect(served(asked)).toBe('direct');
        },
      ),
      { seed: 20261121 },
    );
  });

  test('is an error only if fallbacks are forbidden, naming the available ones', () => {
    for (const asked of ['economical', 'nonsense', '']) {
      const error = refusal(() => pickChannel(chat, asked, false));
      expect(error.code).toBe('channel_not_available');
      expect(error.status).toBe(400);
      expect(error.param).toBe('provider.channel');
      expect(error.message).toBe(
        `gen-x has no channel "${asked}"; it has direct, stable. Name one of them, or allow fallbacks.`,
      );
    }
  });

  test('comes with the card of its own kind', () => {
    // This also tests the types: the card of a chat model has `rates`, without a check of its unit.
    expect(pickChannel(chat, 'stable', true).card.rates.input).toBe(
      pickChannel(chat, 'stable', true).card.rates.cacheRead,
    );
  });
});
