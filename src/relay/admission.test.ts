import { expect, test } from 'bun:test';
import { NO_LIMITS } from '../accounts/limits/limits.ts';
import { GatewayError } from '../errors.ts';
import type { FeeUnit } from '../money/served.ts';
import { NO_EXTRAS } from '../protocols/inputs/request-extras.ts';
import { smallCatalogue, USD_CNY } from './admission.fixture.ts';
import type { TextRequest } from './admission.ts';
import { admitImages, admitText, isCountable, mayUseChannel, withSoldTools } from './admission.ts';
import { CALLER } from './scheduled-upstreams.fixture.ts';

const catalogue = smallCatalogue();

const asking = (request: Partial<TextRequest> = {}): TextRequest => ({
  model: 'gen-usd',
  maxOutputTokens: null,
  maxOutputField: 'max_tokens',
  choices: 1,
  includeUsage: false,
  thinkingTokens: 0,
  mayThinkUnseen: false,
  oneHourCache: false,
  channel: null,
  allowFallbacks: true,
  inputs: [],
  claims: [],
  extras: NO_EXTRAS,
  ...request,
});

const anyChannel = () => true;
const admitted = (request: TextRequest, textBytes: number) =>
  admitText(catalogue, request, textBytes, anyChannel);

function refusal(work: () => unknown): GatewayError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error('expected a refusal');
}
const refused = (request: Partial<TextRequest>, textBytes = 10): GatewayError =>
  refusal(() => admitted(asking(request), textBytes));

test('serves the requested channel at the price of its card', () => {
  const offer = admitted(asking({ channel: 'stable' }), 10);
  expect([offer.channels[0].name, offer.channels[0].card.id]).toEqual(['stable', 'card_stable']);
});

test('falls back to the default channel when the requested one is missing or unknown', () => {
  for (const channel of [null, 'economical', 'nonsense', '', '__proto__', 'DIRECT']) {
    const offer = admitted(asking({ channel }), 10);
    expect(offer.channels[0].card.id).toBe('card_direct');
  }
});

test('offers the default channel as fallback where key and account allow it', () => {
  const names = (request: Partial<TextRequest>, mayUse: (channel: string) => boolean) =>
    admitText(catalogue, asking(request), 10, mayUse).channels.map(({ name }) => name);
  expect(names({ channel: 'stable' }, anyChannel)).toEqual(['stable', 'direct']);
  expect(names({ channel: 'stable', allowFallbacks: false }, anyChannel)).toEqual(['stable']);
  expect(names({ channel: 'stable' }, (channel) => channel === 'stable')).toEqual(['stable']);
  expect(names({ channel: 'direct' }, anyChannel)).toEqual(['direct']);
  expect(names({ channel: null }, anyChannel)).toEqual(['direct']);
});

test('a caller who names no channel gets one that the key and the account allow', () => {
  const names = (channel: string | null, allowed: string) =>
    admitText(catalogue, asking({ channel }), 10, (name) => name === allowed).channels.map(
      ({ name }) => name,
    );
  expect(names(null, 'stable')).toEqual(['stable']);
  // The limiter then refuses the default channel.
  expect(names(null, 'economical')).toEqual(['direct']);
  expect(names('economical', 'stable')).toEqual(['direct']);
});

test('a channel serves, also as fallback, only if both the key and the account allow it', () => {
  const mayUse = (key: string[] | null, account: string[] | null): boolean[] => {
    const limits = {
      key: { ...NO_LIMITS, channels: key },
      account: { ...NO_LIMITS, channels: account },
    };
    return (['direct', 'stable'] as const).map(mayUseChannel({ ...CALLER, limits }));
  };
  expect(mayUse(null, null)).toEqual([true, true]);
  expect(mayUse(['stable'], null)).toEqual([false, true]);
  expect(mayUse(null, ['stable'])).toEqual([false, true]);
  expect(mayUse(['direct'], ['stable'])).toEqual([false, false]);
});

test('refuses a missing channel when the caller forbids fallbacks', () => {
  const error = refused({ channel: 'economical', allowFallbacks: false });
  expect([error.code, error.param]).toEqual(['channel_not_available', 'provider.channel']);
  expect(error.message).toContain('direct, stable');
  const offer = admitted(asking({ channel: null, allowFallbacks: false }), 10);
  expect(offer.channels[0].name).toBe('direct');
});

test('returns 404 with similar names for an unknown model', () => {
  const error = refused({ model: 'gen-usb' });
  expect([error.code, error.status, error.param]).toEqual(['model_not_found', 404, 'model']);
  expect(error.message).toContain('gen-usd');
});

test('optional tools that no channel sells need no hold', () => {
  const tool = { ...{ type: 'web_search', param: 'tools[0]' }, maxUses: null, mayFill: false };
  const optional = { ...tool, unit: 'web_search', isOptional: true } as const;
  const needed = { ...tool, unit: 'web_search' } as const;
  const request = asking({ extras: { ...NO_EXTRAS, serverTools: [optional, needed] } });
  const { extras } = withSoldTools(request, admitted(request, 10));
  expect(extras.serverTools).toEqual([needed]);
});

test('output of a model that thinks unseen cannot be counted while it streams', () => {
  const offer = admitted(asking(), 10);
  const thinksUnseen = { ...offer, model: { ...offer.model, thinksUnseen: true } };
  expect(isCountable(asking(), offer)).toBe(true);
  expect(isCountable(asking(), thinksUnseen)).toBe(false);
  expect(isCountable(asking({ mayThinkUnseen: true }), offer)).toBe(false);
});

test('names the right endpoint when a model is called at the wrong one', () => {
  const onChat = refused({ model: 'img' });
  expect([onChat.code, onChat.param]).toEqual(['wrong_endpoint', 'model']);
  expect(onChat.message).toBe('img is an image model; call it at /v2/images/generations.');
  const images = { model: 'gen-usd', channel: null, allowFallbacks: true };
  const onImages = refusal(() => admitImages(catalogue, images, anyChannel));
  expect(onImages.code).toBe('wrong_endpoint');
  expect(onImages.message).toContain('/v2/chat/completions, /v1/messages or /v1/responses');
});

test('accepts max tokens up to the model limit and names the field when it is exceeded', () => {
  expect(admitted(asking({ maxOutputTokens: 500 }), 10).model.id).toBe('gen-usd');
  const error = refused({ maxOutputTokens: 501, maxOutputField: 'max_completion_tokens' });
  expect([error.code, error.param]).toEqual(['invalid_value', 'max_completion_tokens']);
  expect(error.message).toContain('at most 500 tokens');
});

test('refuses an unsupported input and names the part', () => {
  const inputs = [
    { modality: 'image', param: 'messages[0].content[0]', source: { kind: 'remote' } },
    { modality: 'audio', param: 'messages[0].content[1]', source: { kind: 'remote' } },
  ] as const;
  const error = refused({ inputs });
  expect([error.code, error.param]).toEqual(['unsupported_modality', 'messages[0].content[1]']);
  expect(error.message).toContain('text, image');
  expect(admitted(asking({ inputs: [inputs[0]] }), 10).model.id).toBe('gen-usd');
});

test('refuses more uses of a tool than the card allows', () => {
  const limited = smallCatalogue();
  const model = limited.models.get('gen-usd');
  if (model?.kind !== 'chat') throw new Error('gen-usd is a chat model');
  const channels = new Map(
    [...model.channels].map(([name, channel]) => {
      const { terms } = channel.card;
      const limits = { ...terms.limits, uses: { web_search: 5 } };
      return [name, { ...channel, card: { ...channel.card, terms: { ...terms, limits } } }];
    }),
  );
  const models = new Map([['gen-usd', { ...model, channels }]]);
  const using = (maxUses: number | null, unit: FeeUnit = 'web_search') => {
    const tool = { unit, type: unit, param: 'tools[0]', maxUses, mayFill: false };
    const request = asking({ extras: { ...NO_EXTRAS, serverTools: [tool] } });
    return () => admitText({ ...limited, models }, request, 10, anyChannel);
  };
  expect(using(5)).not.toThrow();
  expect(using(null)).not.toThrow();
  const error = refusal(using(6));
  expect([error.code, error.param]).toEqual(['invalid_value', 'tools[0].max_uses']);
  expect(error.message).toContain('at most 5');
  // The price card sets no limit for `web_fetch`, so the default limit applies.
  expect(using(1_000, 'web_fetch')).not.toThrow();
  expect(refusal(using(1_001, 'web_fetch')).message).toContain('at most 1000');
});

test('refuses a prompt only when no text of that length could fit', () => {
  expect(admitted(asking(), 24_000).model.id).toBe('gen-usd');
  const error = refused({}, 24_001);
  expect([error.code, error.param]).toEqual(['context_length_exceeded', 'messages']);
  // The words by which opencode, pi and LiteLLM recognize this error.
  expect(error.message).toMatch(/maximum context length is \d+ tokens/);
});

test('settles a USD model in USD without a rate', () => {
  const { payment } = admitted(asking(), 10);
  expect(payment).toEqual({ currency: 'USD', rate: null, exchange: null });
});

test('converts a CNY model at the pinned rate, which also applies to the USD wallet', () => {
  const { payment } = admitted(asking({ model: 'gen-cny' }), 10);
  expect(payment).toEqual({ currency: 'CNY', rate: USD_CNY, exchange: USD_CNY });
});

test('fails with an internal error for a CNY model without a rate', () => {
  const error = refusal(() =>
    admitText(smallCatalogue([]), asking({ model: 'gen-cny' }), 10, anyChannel),
  );
  expect(error.code).toBe('internal_error');
});
