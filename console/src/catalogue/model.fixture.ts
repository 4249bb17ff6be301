/** Models and channels as the API returns them, for tests. */
import type { Channel, ChannelName, Model } from './models.ts';
import { PRICE_KEYS, type PriceKey } from './usage-buckets.ts';

/** The prices of a channel that has no price per token. */
export const NO_PRICES = {
  ...(Object.fromEntries(PRICE_KEYS.map((key) => [key, null])) as Readonly<Record<PriceKey, null>>),
  not_sold: [],
};

/** The health of a channel without requests. */
export const NO_HEALTH: Channel['health'] = {
  ...{ status: 'unknown', success_rate: null, uptime_90d: null },
  ...{ first_byte_ms: null, tokens_per_second: null },
};

export const channel = (name: ChannelName, more: Partial<Channel> = {}): Channel => ({
  ...{ channel: name, default: name === 'direct', example: false, price_card: `card_${name}` },
  price: {
    ...NO_PRICES,
    ...{ currency: 'USD', unit: '1M tokens', input: '5.00', output: '25.00' },
    ...{ cache_read: '0.50', cache_write: '6.25', per_image: null },
  },
  ...{ price_terms: null, supported_parameters: [], health: NO_HEALTH },
  upcoming: [],
  ...more,
});

export const chatModel = (id: string, more: Partial<Model> = {}): Model => ({
  ...{ id, object: 'model', type: 'model', created: 0, created_at: '1970-01-01T00:00:00Z' },
  ...{ owned_by: 'gen', display_name: id, shutdown_date: null, name: id, maker: 'gen' },
  ...{ lifecycle: 'active', line: null, deprecated_at: null, retires_at: null },
  ...{ capabilities: null, allowed_fallback_models: [] },
  ...{ kind: 'chat', context_length: 1_000_000, max_output_tokens: 128_000 },
  ...{ max_input_tokens: 1_000_000, max_tokens: 128_000 },
  ...{ input_modalities: ['text'], output_modalities: ['text'], release_date: null },
  ...{ settlement: 'USD', settlement_rate: null },
  ...{ description: null, description_zh: null, tags: [] },
  channels: [channel('direct'), channel('stable')],
  ...more,
});
