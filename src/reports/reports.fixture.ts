/** Fills a real ledger with a thousand random requests, for tests of reports. */

import fc from 'fast-check';
import {
  AT_MS,
  addAccount,
  credit,
  EPOCH,
  hold,
  LEASE_MS,
  receipt,
  USD_CNY,
} from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { Command, Outcome, PublishedCard, Receipt } from '../ledger/ledger.ts';
import { DAY_MS } from '../money/calendar.ts';
import { costPico, NO_RATES, picoRate, settleAmount } from '../money/price.ts';
import { NO_USAGE, perBucket, type Usage } from '../money/usage.ts';

export const OWNERS = ['alice', 'bob'] as const;
const MODELS = ['gen-opus-4-8', 'gen-v4-pro', 'gen-v4-flash'] as const;
const CHANNELS = ['direct', 'economical'] as const;
const OUTCOMES = ['completed', 'completed', 'completed', 'length', 'caller_left'] as const;
/** The number of days over which the requests are spread, starting at AT_MS. */
export const DAYS = 20;
export const PRICE_KEY = '1024x1024/hd';
const FUNDS = 1_000_000_000_000n;

const RATES = {
  ...NO_RATES,
  input: picoRate(1_320_001n),
  cacheRead: picoRate(43_997n),
  cacheWrite5m: picoRate(1_650_003n),
  cacheWrite1h: picoRate(2_640_002n),
  output: picoRate(3_960_007n),
};
const CHAT_CARD: PublishedCard = {
  id: 'card_odd',
  currency: 'USD',
  rates: RATES,
  perImage: null,
  list: null,
  terms: null,
  model: 'gen-v4-pro',
  channel: 'direct',
  effectiveFromMs: AT_MS,
};
const IMAGE_CARD: PublishedCard = {
  ...CHAT_CARD,
  id: 'card_pictures',
  rates: null,
  perImage: { [PRICE_KEY]: 80_000_001n },
};

type Drawn = {
  readonly owner: (typeof OWNERS)[number];
  readonly model: string;
  readonly channel: string;
  readonly outcome: Receipt['outcome'];
  readonly yuan: boolean;
  readonly images: number | null;
  readonly usage: Usage;
  readonly day: number;
};

const tokens = fc.oneof(fc.constant(0), fc.nat({ max: 200_000 }));
const drawn: fc.Arbitrary<Drawn> = fc.record({
  owner: fc.constantFrom(...OWNERS),
  model: fc.constantFrom(...MODELS),
  channel: fc.constantFrom(...CHANNELS),
  outcome: fc.constantFrom(...OUTCOMES),
  yuan: fc.boolean(),
  images: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat(4) },
  ),
  usage: fc.record(perBucket(() => tokens)),
  day: fc.nat(DAYS - 1),
});

/** Holds and settles `count` requests of both owners. The same seed produces the same requests. */
export async function tradeAtRandom(
  database: Database,
  count: number,
  seed: number,
): Promise<void> {
  const { ledger, sql } = database;
  for (const owner of OWNERS) await addAccount(sql, owner);
  await ledger.join({ epoch: EPOCH, name: EPOCH }, LEASE_MS);
  await ledger.publish([CHAT_CARD, IMAGE_CARD], [{ ...USD_CNY, effectiveFromMs: AT_MS }]);
  await applied(
    database,
    OWNERS.map((owner) => credit(`crd_${owner}`, FUNDS, { accountId: owner })),
  );
  const requests = fc.sample(drawn, { numRuns: count, seed });
  for (const [at, request] of requests.entries()) await trade(database, `req_${at}`, request);
}

async function trade(database: Database, id: string, request: Drawn): Promise<void> {
  const { owner, yuan, images, usage, day } = request;
  const rate = yuan ? USD_CNY : null;
  const pico = images === null ? costPico(usage, RATES) : BigInt(images) * 80_000_001_000n;
  const charge = settleAmount(pico, rate);
  const currency = yuan ? 'CNY' : 'USD';
  const atMs = AT_MS + day * DAY_MS;
  await applied(database, [
    hold(id, charge, {
      accountId: owner,
      currency,
      ...(yuan ? { exchange: USD_CNY, priceRate: USD_CNY } : {}),
    }),
    {
      kind: 'settle',
      id,
      charge,
      carefulAnswers: 0,
      held: null,
      exchangeId: null,
      atMs,
      receipt: receipt(id, 0n, {
        accountId: owner,
        currency,
        model: request.model,
        channel: request.channel,
        outcome: request.outcome,
        cardId: images === null ? CHAT_CARD.id : IMAGE_CARD.id,
        fxRateId: rate?.id ?? null,
        usage: images === null ? usage : NO_TOKENS,
        images: images === null ? null : { count: images, priceKey: PRICE_KEY },
        costPico: pico,
        startedAtMs: atMs - 1_000,
      }),
    },
  ]);
}

const NO_TOKENS: Usage = {
  ...NO_USAGE,
  input: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
};

/**
 * Applies commands, none of which may be refused.
 * @throws Error with the command that the ledger refused.
 */
export async function applied(
  database: Database,
  batch: readonly Command[],
): Promise<readonly Outcome[]> {
  const outcomes = await database.ledger.apply(batch);
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'applied') continue;
    throw new Error(`${batch[at]?.kind} ${batch[at]?.id}: ${outcome.status}`);
  }
  return outcomes;
}
