/** A key as the API returns it, for tests. */
import type { ApiKey } from './key-form.ts';

const window = { spent: '0.000000000', remaining: null, resets_at: null };

export const aKey = (over: Partial<ApiKey> = {}): ApiKey => ({
  id: 'key_1',
  account_id: 'acc_1',
  name: 'ci',
  etag: '"settings"',
  masked: 'sk-mg-abcd...wxyz',
  status: 'active',
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  previous_secret_until: null,
  purpose: null,
  scopes: ['inference', 'usage', 'top_up'],
  created_by: null,
  created_by_name: null,
  limits: {
    spend: { day: null, week: null, month: null, total: null },
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    models: null,
    channels: null,
    ip_ranges: null,
  },
  spend: { day: window, week: window, month: window, total: window },
  ...over,
});
