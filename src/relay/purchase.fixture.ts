/** A purchase on a ledger that the test supplies, for the tests of the relay. */
import { manualClock } from '../clock.fixture.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { oneByOne } from '../ledger/one-by-one.fixture.ts';
import { NO_USAGE } from '../money/usage.ts';
import { NO_EXTRAS } from '../protocols/inputs/request-extras.ts';
import { type Consumption, type HoldSize, Purchase } from './purchase.ts';

/** The consumption of a stream that has delivered nothing yet. */
export const SO_FAR: Consumption = {
  endpoint: 'chat',
  model: 'gen',
  channelRequested: null,
  channel: 'direct',
  upstream: 'there',
  upstreamModel: 'gen-there',
  cardId: 'card_1',
  usage: NO_USAGE,
  images: null,
  costPico: 0n,
  estimated: true,
  streamed: true,
  outcome: 'node_lost',
  errorCode: null,
  finishReason: null,
  startedAtMs: 0,
  firstByteMs: null,
  durationMs: 0,
  attempts: [],
  facts: null,
  upstreamId: null,
  reportedCostPico: null,
  measure: 'estimated',
};

/** Holds `size` for the request `req_1`, in USD. */
export const purchaseOn = (
  apply: Ledger['apply'],
  size: Omit<HoldSize, 'worstCase'>,
): Promise<Purchase> | Purchase =>
  Purchase.begin(
    {
      ledger: oneByOne(apply, { keepCheckpoint: () => undefined }),
      clock: manualClock(),
      epoch: () => 'node',
      holdLifetimeMs: 1,
      carefulAnswers: 0,
      mustWait: () => false,
      spool: { keep: () => Promise.reject(new Error('not here')) },
      onSettled: () => undefined,
      onSettleFailed: () => undefined,
    },
    {
      requestId: 'req_1',
      caller: { accountId: 'acc', keyId: 'key', allowExchange: true },
      price: { affordable: () => ({}) },
      onCharged: null,
      currency: 'USD',
      rate: null,
      exchange: null,
      ...size,
      worstCase: size.amount,
    },
  );

/**
 * The fields of a `HoldBasis` that concern tools and fees, for a request that uses no tools and a
 * price card without fees.
 */
export const FLAT = { predictedTokens: 0, extras: NO_EXTRAS, toolTokens: 0, feesPico: 0n } as const;
