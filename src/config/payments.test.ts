import { describe, expect, test } from 'bun:test';
import { problemsIn, SMALL_FILE, settingsOf } from './file.fixture.ts';

const withLines = (lines: string): string => `${SMALL_FILE}\n${lines}\n`;
const said = (lines: string): readonly string[] =>
  problemsIn(withLines(lines)).map((problem) => problem.replace(/^modelgate\.yaml:\d+: /, ''));

const stripe = (fields: string): string => `payments: { stripe: { ${fields} } }`;
const KEYS = 'secret_key: sk_test_x, webhook_secret: whsec_x';

describe('payments', () => {
  test('have no provider by default, and default limits with one', () => {
    expect(settingsOf(SMALL_FILE).payments).toEqual({});
    const { payments } = settingsOf(withLines(stripe(`${KEYS}, min: { USD: "10" }`)));
    expect(payments.stripe).toMatchObject({
      min: { USD: '10', CNY: '35' },
      max: { USD: '1000', CNY: '7000' },
      api_base: null,
    });
    expect(payments.stripe?.webhook_secret.reveal()).toBe('whsec_x');
    expect(JSON.stringify(payments)).not.toContain('whsec_x');
  });

  test('are rejected without a webhook secret, or with an empty one', () => {
    expect(said(stripe('secret_key: sk_test_x'))[0]).toContain('payments.stripe.webhook_secret');
    for (const secret of ['""', '"  "', '"whsec x"']) {
      expect(said(stripe(`secret_key: sk_test_x, webhook_secret: ${secret}`))).toEqual([
        'payments.stripe.webhook_secret: must not be empty or contain spaces',
      ]);
    }
  });

  test('are rejected with contradictory limits, or a limit of zero', () => {
    const limits = (fields: string) => said(stripe(`${KEYS}, ${fields}`));
    expect(limits('min: { USD: "2000" }')).toEqual([
      'payments.stripe.min.USD: is more than max.USD',
    ]);
    expect(limits('min: { USD: "0.00" }')).toEqual(['payments.stripe.min.USD: must be above zero']);
    expect(limits('max: { CNY: "1000000" }')[0]).toContain('must be at most 999999');
    expect(limits('max: { CNY: "50.001" }')[0]).toContain('more than 2 decimals');
    expect(limits('api_base: "http://127.0.0.1:1/v1"')[0]).toContain('without a path');
  });
});

describe('alerts', () => {
  test('are only logged until there is a webhook with a secret', () => {
    expect(settingsOf(SMALL_FILE).alerts).toEqual({
      low_balance: { USD: null, CNY: null },
      webhook_url: null,
      webhook_secret: null,
      allow_private: false,
      account_webhooks: 'public',
    });
    expect(said('alerts: { webhook_url: "https://ops.example/x" }')).toEqual([
      'alerts.webhook_secret: is missing: alerts to webhook_url must be signed with this secret',
    ]);
    expect(said('alerts: { webhook_url: "https://ops.example/x", webhook_secret: "" }')).toEqual([
      'alerts.webhook_secret: must not be empty or contain spaces',
    ]);
  });

  test('to a private address need allow_private', () => {
    const to = (url: string, more = '') =>
      said(`alerts: { webhook_url: "${url}", webhook_secret: x${more} }`);
    for (const host of ['127.0.0.1:9', '10.0.0.8', 'localhost', '2130706433', '[::1]']) {
      expect(to(`http://${host}/x`)).toEqual([
        'alerts.webhook_url: is a private address; add allow_private: true if intended',
      ]);
      expect(to(`http://${host}/x`, ', allow_private: true')).toEqual([]);
    }
    expect(to('https://ops.example/x?token=1')).toEqual([]);
    for (const url of ['ftp://ops.example/x', 'https://me:pass@ops.example/x']) {
      expect(to(url)[0]).toContain('write an http or https address without credentials');
    }
  });
});

test('bonuses are percentages by the amount from which they are given', () => {
  const { top_ups: topUps } = settingsOf(
    withLines('top_ups: { bonuses: { USD: { "100": "5" } } }'),
  );
  expect(topUps).toEqual({ bonuses: { USD: { '100': '5' }, CNY: {} } });
  expect(settingsOf(SMALL_FILE).top_ups).toEqual({ bonuses: { USD: {}, CNY: {} } });
  const wrong = (steps: string) => said(`top_ups: { bonuses: { USD: { ${steps} } } }`);
  const at = 'top_ups.bonuses.USD';
  expect(wrong('"100": "0"')).toEqual([`${at}.100: must be above zero`]);
  expect(wrong('"100": "100.5"')).toEqual([`${at}.100: must be at most 100`]);
  expect(wrong('"100": 5')).toEqual([`${at}.100: write it in quotes, such as "5"`]);
  expect(wrong('"1.005": "5"')[0]).toContain('write an amount such as "100"');
  const many = Array.from({ length: 11 }, (_, at) => `"${at + 1}": "5"`).join(', ');
  expect(wrong(many)).toEqual([`${at}: write at most 10 amounts`]);
});
