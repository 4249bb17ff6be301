/** For tests: creates one random but realistic request with its exact cost. */
import type { Card, Catalogue, Channel, Model } from '../../../../src/catalogue/catalogue.ts';
import type {
  AttemptRecord,
  Command,
  Receipt,
  RequestOutcome,
} from '../../../../src/ledger/ledger.ts';
import { type Currency, type NanoAmount, nano } from '../../../../src/money/amount.ts';
import { costPico, type FxRate, settleAmount } from '../../../../src/money/price.ts';
import { NO_USAGE, type Usage } from '../../../../src/money/usage.ts';
import { between, oneOf, type Random } from '../../../support/random.ts';

/**
 * The models that random requests name. A popular model is repeated, so that it is chosen more
 * often.
 */
const ASKED_FOR = [
  ...Array<string>(8).fill('gen-sonnet-5'),
  ...Array<string>(5).fill('gen-opus-4-8'),
  ...Array<string>(4).fill('gen-v4-flash'),
  ...Array<string>(2).fill('gen-v4-pro'),
  ...['gen-opus-4-7', 'img-3', 'img-2'],
];
/**
 * The outcomes of unsuccessful requests. A frequent outcome is repeated, so that it is chosen more
 * often.
 */
const BAD_ENDS: readonly RequestOutcome[] = [
  ...Array<RequestOutcome>(4).fill('caller_left'),
  ...Array<RequestOutcome>(3).fill('upstream_error'),
  'upstream_timeout',
  'length',
];
const BAD_SHARE = 0.025;
const FAILOVER_SHARE = 0.015;
const PICO_PER_NANO = 1000n;
const HOLD_MS = 600_000;
const LEAST_HELD = 2_000_000n;

export type Asker = { readonly accountId: string; readonly keyId: string };
export type Occasion = {
  readonly id: string;
  readonly atMs: number;
  readonly asker: Asker;
  readonly epoch: string;
};

type Sold = Pick<Receipt, 'usage' | 'images' | 'costPico'>;

/**
 * Returns the ledger commands of a random request at the given time: its hold and its settlement.
 */
export function tradeOf(catalogue: Catalogue, occasion: Occasion, chance: Random): Command[] {
  const model = catalogue.models.get(oneOf(chance, ASKED_FOR));
  if (model === undefined) throw new Error('the shipped catalogue has other models now');
  const channel = oneOf(chance, [...(model.channels.values() as Iterable<Channel<Card>>)]);
  const outcome = chance() < BAD_SHARE ? oneOf(chance, BAD_ENDS) : 'completed';
  const isFree = outcome === 'upstream_error' || outcome === 'upstream_timeout';
  const sold = isFree ? NOTHING : soldOf(channel.card, chance);
  const rate = model.settlement === 'CNY' ? rateOf(catalogue) : null;
  const charge = settleAmount(sold.costPico, rate);
  const { id, atMs, asker, epoch } = occasion;
  const receipt = { ...about(model, channel, outcome, atMs, chance), ...sold };
  const { accountId, keyId } = asker;
  const currency: Currency = model.settlement;
  return [
    {
      ...{ kind: 'hold', id, accountId, keyId, currency, epoch, atMs },
      ...{ amount: heldFor(charge), atLeast: charge, worstCase: heldFor(charge) },
      ...{ exchange: rate, priceRate: rate },
      expiresAtMs: atMs + HOLD_MS,
    },
    {
      ...{ kind: 'settle', id, charge, carefulAnswers: 0, held: null, exchangeId: null },
      receipt: {
        ...receipt,
        ...{ requestId: id, accountId, keyId, currency, fxRateId: rate?.id ?? null },
      },
      atMs: atMs + receipt.durationMs,
    },
  ];
}

/** Returns the amount of the hold for a charge. Like a real hold, it is larger than the charge. */
const heldFor = (charge: NanoAmount): NanoAmount => nano(charge * 2n + LEAST_HELD);

const NOTHING: Sold = { usage: NO_USAGE, images: null, costPico: 0n };

function rateOf({ fx }: Catalogue): FxRate {
  const rate = fx.get('USD/CNY');
  if (rate === undefined) throw new Error('the shipped catalogue has no rate now');
  return rate;
}

function soldOf(card: Card, chance: Random): Sold {
  if (card.unit === 'token') {
    const usage = usageOf(chance);
    return { usage, images: null, costPico: costPico(usage, card.rates) };
  }
  const [priceKey, price] = oneOf(chance, [...card.perImage]);
  const count = between(chance, 1, 3);
  const images = priceKey.includes('hd') ? 1 : count;
  return {
    usage: NO_USAGE,
    images: { count: images, priceKey },
    costPico: BigInt(images) * price * PICO_PER_NANO,
  };
}

/** Returns random token counts. Most prompts are short; a few contain a long conversation. */
function usageOf(chance: Random): Usage {
  const isLong = chance() < 0.2;
  const input = between(chance, 40, 1_800);
  const output = between(chance, 20, 900);
  if (!isLong) return { ...NO_USAGE, input, output };
  return {
    ...NO_USAGE,
    input,
    output: output * 2,
    cacheRead: between(chance, 2_000, 24_000),
    cacheWrite5m: between(chance, 0, 3_000),
  };
}

function about(
  model: Model,
  channel: Channel<Card>,
  outcome: RequestOutcome,
  atMs: number,
  chance: Random,
) {
  const isImage = model.kind === 'image';
  const streamed = !isImage && chance() < 0.8;
  const firstByteMs = between(chance, 180, 900) + chance();
  const durationMs = between(chance, isImage ? 2_500 : 900, isImage ? 9_000 : 7_000);
  const [route] = channel.routes;
  const isFree = outcome === 'upstream_error' || outcome === 'upstream_timeout';
  const last = { channel: channel.name, upstream: route.upstream, model: route.model };
  return {
    endpoint: isImage ? 'images' : oneOf(chance, ['chat', 'chat', 'messages'] as const),
    model: model.id,
    channelRequested: chance() < 0.6 ? channel.name : null,
    channel: channel.name,
    upstream: route.upstream,
    upstreamModel: route.model,
    cardId: channel.card.id,
    estimated: outcome === 'caller_left',
    streamed,
    outcome,
    errorCode: isFree ? (outcome === 'upstream_error' ? 'upstream_failed' : outcome) : null,
    finishReason: outcome === 'completed' ? 'stop' : outcome === 'length' ? 'length' : null,
    startedAtMs: atMs,
    firstByteMs: isFree ? null : firstByteMs,
    durationMs,
    attempts: attemptsOf(last, isFree ? outcome : '200', firstByteMs, chance),
    facts: null,
    upstreamId: null,
    reportedCostPico: null,
    measure: isImage ? null : outcome === 'caller_left' ? 'estimated' : 'reported',
  } as const;
}

function attemptsOf(
  route: Pick<AttemptRecord, 'channel' | 'upstream' | 'model'>,
  result: string,
  firstByteMs: number,
  chance: Random,
): readonly AttemptRecord[] {
  const failed = chance() < FAILOVER_SHARE;
  const startMs = failed ? Math.round(firstByteMs / 2) : 0;
  return [
    ...(failed ? [{ ...route, result: '529', startMs: 0, durationMs: startMs }] : []),
    { ...route, result, startMs, durationMs: Math.round(firstByteMs) - startMs },
  ];
}
