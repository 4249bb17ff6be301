import { expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { smallCatalogue, USD_CNY } from './admission.fixture.ts';
import type { TextRequest } from './admission.ts';
import { admitImages, admitText } from './admission.ts';

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

test('a request is served by the channel it names, at the card of that channel', () => {
  const offer = admitted(asking({ channel: 'stable' }), 10);
  expect([offer.channels[0].name, offer.channels[0].card.id]).toEqual(['stable', 'card_stable']);
});

test('a channel that is not there, or that nobody knows, is the default one and no error', () => {
  for (const channel of [null, 'economical', 'nonsense', '', '__proto__', 'DIRECT']) {
    const offer = admitted(asking({ channel }), 10);
    expect(offer.channels[0].card.id).toBe('card_direct');
  }
});

test('the default channel may serve in place of the one asked for, where that is allowed', () => {
  const names = (request: Partial<TextRequest>, mayUse: (channel: string) => boolean) =>
    admitText(catalogue, asking(request), 10, mayUse).channels.map(({ name }) => name);
  expect(names({ channel: 'stable' }, anyChannel)).toEqual(['stable', 'direct']);
  expect(names({ channel: 'stable', allowFallbacks: false }, anyChannel)).toEqual(['stable']);
  expect(names({ channel: 'stable' }, (channel) => channel === 'stable')).toEqual(['stable']);
  expect(names({ channel: 'direct' }, anyChannel)).toEqual(['direct']);
  expect(names({ channel: null }, anyChannel)).toEqual(['direct']);
});

test('a caller who forbids fallbacks is told instead', () => {
  const error = refused({ channel: 'economical', allowFallbacks: false });
  expect([error.code, error.param]).toEqual(['channel_not_available', 'provider.channel']);
  expect(error.message).toContain('direct, stable');
  const offer = admitted(asking({ channel: null, allowFallbacks: false }), 10);
  expect(offer.channels[0].name).toBe('direct');
});

test('an unknown model is a 404 that names near ones', () => {
  const error = refused({ model: 'gen-usb' });
  expect([error.code, error.status, error.param]).toEqual(['model_not_found', 404, 'model']);
  expect(error.message).toContain('gen-usd');
});

test('each kind of model answers at its own endpoint, and the other says which', () => {
  const onChat = refused({ model: 'img' });
  expect([onChat.code, onChat.param]).toEqual(['wrong_endpoint', 'model']);
  expect(onChat.message).toBe('img is an image model; call it at /v2/images/generations.');
  const images = { model: 'gen-usd', channel: null, allowFallbacks: true };
  const onImages = refusal(() => admitImages(catalogue, images, anyChannel));
  expect(onImages.code).toBe('wrong_endpoint');
  expect(onImages.message).toContain('/v2/chat/completions or /v1/messages');
});

test('output up to the limit of the model, and a token more is refused under its own name', () => {
  expect(admitted(asking({ maxOutputTokens: 500 }), 10).model.id).toBe('gen-usd');
  const error = refused({ maxOutputTokens: 501, maxOutputField: 'max_completion_tokens' });
  expect([error.code, error.param]).toEqual(['invalid_value', 'max_completion_tokens']);
  expect(error.message).toContain('at most 500 tokens');
});

test('an input that the model does not take is refused, naming the part', () => {
  const inputs = [
    { modality: 'image', param: 'messages[0].content[0]' },
    { modality: 'audio', param: 'messages[0].content[1]' },
  ] as const;
  const error = refused({ inputs });
  expect([error.code, error.param]).toEqual(['unsupported_modality', 'messages[0].content[1]']);
  expect(error.message).toContain('text, image');
  expect(admitted(asking({ inputs: [inputs[0]] }), 10).model.id).toBe('gen-usd');
});

test('a prompt is refused only when no text could be dense enough to fit', () => {
  expect(admitted(asking(), 24_000).model.id).toBe('gen-usd');
  const error = refused({}, 24_001);
  expect([error.code, error.param]).toEqual(['context_length_exceeded', 'messages']);
});

test('a USD model is paid in USD, with no rate', () => {
  const { payment } = admitted(asking(), 10);
  expect(payment).toEqual({ currency: 'USD', rate: null, exchange: null });
});

test('a CNY model is converted at the pinned rate, and may draw on the USD wallet at it', () => {
  const { payment } = admitted(asking({ model: 'gen-cny' }), 10);
  expect(payment).toEqual({ currency: 'CNY', rate: USD_CNY, exchange: USD_CNY });
});

test('a CNY model without a rate is our own failure, never free', () => {
  const error = refusal(() =>
    admitText(smallCatalogue([]), asking({ model: 'gen-cny' }), 10, anyChannel),
  );
  expect(error.code).toBe('internal_error');
});
