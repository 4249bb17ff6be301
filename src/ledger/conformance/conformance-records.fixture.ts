/**
 * The tests of receipts, published price cards and plain SQL statements that every engine must
 * pass.
 */
import { expect } from 'bun:test';
import { nano } from '../../money/amount.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { MAX_WORDS } from '../receipt-row.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import {
  AT_MS,
  ATTEMPT,
  applied,
  credit,
  failureOf,
  hold,
  IMAGE_CARD,
  receipt,
  repeated,
  settle,
  USD_CNY,
} from './ledger.fixture.ts';

export function recordConformance(open: Open): void {
  receiptConformance(open);
  storeConformance(open);
}

function receiptConformance(open: Open): void {
  rule(open, 'a receipt reads back as it was written', async ({ ledger }) => {
    const words = receipt('h1', 24n, {
      channelRequested: 'économique 🪙 \u0007 "quoted"',
      firstByteMs: null,
      streamed: false,
      attempts: [ATTEMPT, { ...ATTEMPT, channel: 'stable', result: 'upstream_timeout' }],
      estimated: true,
      outcome: 'caller_left',
      usage: { ...NO_USAGE, output: 14, reasoning: 5, audioInput: 1, imageOutput: 4 },
      upstreamId: 'chatcmpl-1',
      reportedCostPico: 3_999_999_999_999_999_999n,
      measure: 'estimated_by_time',
    });
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    await ledger.apply([{ ...settle('h1', 24n), receipt: words }]);
    expect(await ledger.receipt('h1')).toEqual({ ...words, charge: nano(24n), loss: nano(0n) });
    expect(await ledger.receipt('h2')).toBeNull();
  });

  rule(open, 'no text of a caller or an upstream can prevent a receipt', async ({ ledger }) => {
    const words = {
      channelRequested: 'a\u0000\ud800',
      finishReason: `\ud800\u0000${'x'.repeat(999)}`,
    };
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    const [first] = await ledger.apply([settle('h1', 24n, words)]);
    expect(first).toEqual(applied(24n, 76n));
    expect(await ledger.apply([settle('h1', 24n, words)])).toEqual([repeated(24n, 76n)]);
    expect(await ledger.receipt('h1')).toMatchObject({
      channelRequested: 'a\ufffd\ufffd',
      finishReason: `\ufffd\ufffd${'x'.repeat(MAX_WORDS - 2)}`,
    });
  });

  rule(open, 'an estimate may be charged for less than its price', async ({ ledger }) => {
    const guessed = receipt('h1', 90n, { estimated: true });
    await ledger.apply([credit('c1', 100n), hold('h1', 60n)]);
    await ledger.apply([{ ...settle('h1', 60n), receipt: guessed }]);
    expect(await ledger.receipt('h1')).toMatchObject({ charge: 60n, costPico: 90_000n });
  });

  rule(open, 'an image is priced by its key on the card', async ({ ledger }) => {
    const images = { count: 2, priceKey: '1024x1024' };
    const drawn = receipt('h1', 0n, {
      endpoint: 'images',
      cardId: 'card_image',
      images,
      costPico: 80_000_000_000n,
    });
    const charge = nano(80_000_000n);
    await ledger.apply([credit('c1', 80_000_000n), hold('h1', 80_000_000n)]);
    await ledger.apply([{ ...settle('h1', 0n), charge, receipt: drawn }]);
    expect(await ledger.receipt('h1')).toMatchObject({ images, charge });
  });

  rule(open, 'a key knows what it has spent in each currency', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), credit('c2', 100n, { currency: 'CNY' })]);
    const yuan = { currency: 'CNY' } as const;
    await ledger.apply([hold('h1', 9n), hold('h2', 9n), hold('h3', 9n, yuan)]);
    await ledger.apply([settle('h1', 4n), settle('h2', 5n), settle('h3', 6n, yuan)]);
    expect([...(await ledger.spentByKey('key_alice'))].sort()).toEqual([
      ['CNY', nano(6n)],
      ['USD', nano(9n)],
    ]);
    expect(await ledger.spentByKey('key_bob')).toEqual(new Map());
  });
}

function storeConformance(open: Open): void {
  rule(open, 'a published card or rate is never changed', async ({ ledger, sql }) => {
    const card = { ...IMAGE_CARD, perImage: { '1024x1024': 1n, '512x512': 2n } };
    await ledger.publish([card], [{ ...USD_CNY, scaled: 1n, effectiveFromMs: AT_MS }]);
    const prices = await sql.query({ sql: 'SELECT price_key, price FROM card_image', params: [] });
    expect(prices).toEqual([{ price_key: '1024x1024', price: 40_000_000n }]);
    const rates = await sql.query({ sql: 'SELECT scaled FROM fx_rate', params: [] });
    expect(rates).toEqual([{ scaled: USD_CNY.scaled }]);
  });

  rule(open, 'plain SQL is all or nothing, and keeps wide integers', async ({ sql }) => {
    const insert = (id: string) => ({
      sql: 'INSERT INTO account (id, name, created_at_ms) VALUES ($1, $2, $3)',
      params: [id, id, 9_007_199_254_740_993n],
    });
    expect(await failureOf(sql.transaction([insert('carol'), insert('alice')]))).toMatchObject({
      code: 'internal_error',
    });
    const carols = { sql: 'SELECT created_at_ms FROM account WHERE id = $1', params: ['carol'] };
    expect(await sql.query(carols)).toEqual([]);
    await sql.query(insert('carol'));
    expect(await sql.query(carols)).toEqual([{ created_at_ms: 9_007_199_254_740_993n }]);
  });

  rule(open, 'a ping writes and reads back', async ({ ping }) => {
    expect(await ping()).toBeUndefined();
  });
}
