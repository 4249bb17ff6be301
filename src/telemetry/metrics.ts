/** Prometheus metrics. Each label has a fixed set of values, which limits the number of series. */
import type { Clock } from '../clock.ts';
import { inSlices } from '../config/document/steps.ts';
import { ERRORS } from '../errors.ts';
import type { Receipt } from '../ledger/ledger.ts';
import type { NanoAmount } from '../money/amount.ts';
import { unpricedIn } from '../money/terms-json.ts';
import { COLUMN_OF, USAGE_BUCKETS } from '../money/usage.ts';
import { isOverrun, type Settled } from '../relay/purchase.ts';
import { type Gauged, gauges } from './gauges.ts';
import { Counters, Histograms, type Metric, metricsSteps } from './prometheus.ts';
import type { FinishedRequest } from './request-journal.ts';

/**
 * Upper bounds of the histogram buckets for durations. They range from the time of a cached answer
 * to an hour of reasoning.
 */
const DURATION_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const FIRST_BYTE_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300];
const NANO = 1e9;

/**
 * Statuses that have a label of their own. Any other status is labeled with its class, such as
 * `4xx`.
 */
const TELLING_STATUSES: ReadonlySet<string> = new Set(
  '200 400 401 402 403 404 408 413 422 429 500 502 503 504 529'.split(' '),
);

/**
 * Counts a request with a receipt when the request is settled, and a request without a receipt when
 * it is answered.
 */
export class Metrics {
  readonly #all: Metric[] = [];
  readonly #operatorCost: MetricsDeps['operatorCost'];
  readonly #clock: MetricsDeps['clock'];
  readonly #requests = this.#counter('requests_total', 'Charged requests, by outcome.', [
    'endpoint',
    'model',
    'channel',
    'outcome',
  ]);
  readonly #refusals = this.#counter(
    'refusals_total',
    'Requests refused before anything was charged.',
    ['endpoint', 'code'],
  );
  readonly #tokens = this.#counter('tokens_total', 'Tokens charged, by bucket.', [
    'model',
    'channel',
    'bucket',
  ]);
  readonly #images = this.#counter('images_total', 'Images delivered.', ['model', 'channel']);
  readonly #charged = this.#counter(
    'charged_currency_units_total',
    'Charges, in units of the currency.',
    ['model', 'channel', 'currency'],
  );
  readonly #cost = this.#counter(
    'operator_cost_currency_units_total',
    'Cost to the operator as configured, in units of the currency.',
    ['model', 'channel', 'currency'],
  );
  readonly #losses = this.#counter(
    'operator_loss_currency_units_total',
    'Charges for delivered answers that the wallets could not pay, in units of the currency.',
    ['currency'],
  );
  readonly #overruns = this.#counter(
    'overruns_total',
    'Answers that cost more than the amount held for them.',
    ['model', 'channel'],
  );
  readonly #unpriced = this.#counter(
    'unpriced_total',
    'Answers with usage that their price card has no price for.',
    ['model', 'channel'],
  );
  readonly #replays = this.#counter(
    'idempotent_replays_total',
    'Answers replayed under their Idempotency-Key, without a charge.',
    ['endpoint'],
  );
  readonly #settleFailures = this.#counter(
    'settle_failures_total',
    'Settlements that neither the ledger nor the spool accepted.',
    [],
  );
  readonly #holdFailures = this.#counter(
    'hold_failures_total',
    'Holds and extensions that the ledger did not grant, by reason.',
    ['reason'],
  );
  readonly #attempts = this.#counter(
    'upstream_attempts_total',
    'Attempts at an upstream, by status or error code.',
    ['upstream', 'result'],
  );
  readonly #attemptDuration = this.#histogram(
    'upstream_attempt_duration_seconds',
    'Time from sending an attempt to its status line or failure.',
    ['upstream'],
    FIRST_BYTE_SECONDS,
  );
  readonly #duration = this.#histogram(
    'request_duration_seconds',
    'Time from admission to settlement.',
    ['endpoint', 'model'],
    DURATION_SECONDS,
  );
  readonly #firstByte = this.#histogram(
    'request_first_byte_seconds',
    'Time from admission to the first byte of the answer.',
    ['endpoint', 'model'],
    FIRST_BYTE_SECONDS,
  );

  constructor({ operatorCost, gauged, clock }: MetricsDeps) {
    this.#clock = clock;
    this.#operatorCost = operatorCost;
    this.#all.push(...gauges(gauged));
  }

  settled(settled: Settled): void {
    const { receipt, charge, loss } = settled;
    const { endpoint, model, channel, currency, usage, images } = receipt;
    this.#requests.add(1, endpoint, model, channel, outcomeLabel(receipt));
    for (const bucket of USAGE_BUCKETS) {
      const count = usage[bucket];
      if (count > 0) this.#tokens.add(count, model, channel, COLUMN_OF[bucket]);
    }
    if (images !== null) this.#images.add(images.count, model, channel);
    if (charge > 0n) this.#charged.add(Number(charge) / NANO, model, channel, currency);
    // Rare events are counted from 0 on, because Prometheus sees no increase in a series that
    // begins with 1.
    this.#overruns.add(isOverrun(settled) ? 1 : 0, model, channel);
    this.#unpriced.add(unpricedIn(receipt.facts).length > 0 ? 1 : 0, model, channel);
    this.#losses.add(Number(loss) / NANO, currency);
    const cost = this.#operatorCost(receipt);
    if (cost !== null) this.#cost.add(Number(cost) / NANO, model, channel, currency);
    this.#duration.observe(receipt.durationMs / 1000, endpoint, model);
    if (receipt.firstByteMs !== null)
      this.#firstByte.observe(receipt.firstByteMs / 1000, endpoint, model);
    for (const { upstream, result, durationMs } of receipt.attempts) {
      this.#attempts.add(1, upstream, resultLabel(result));
      this.#attemptDuration.observe(durationMs / 1000, upstream);
    }
  }

  /** Counts an error of a request that has no receipt. */
  finished({ endpoint, errorCode, settled }: FinishedRequest): void {
    if (settled === null && errorCode !== null)
      this.#refusals.add(1, endpoint ?? 'other', errorCode);
  }

  replayed(endpoint: Receipt['endpoint']): void {
    this.#replays.add(1, endpoint);
  }

  settleFailed(): void {
    this.#settleFailures.add(1);
  }

  /**
   * Counts a failed hold.
   * @param reason the status that the ledger returned, or the code of its error.
   */
  holdFailed(reason: string): void {
    this.#holdFailures.add(1, reason);
  }

  text(): Promise<string> {
    return inSlices(metricsSteps(this.#all), this.#clock);
  }

  #counter(name: string, help: string, labelNames: readonly string[]): Counters {
    const counters = new Counters(`modelgate_${name}`, help, labelNames);
    this.#all.push(counters);
    return counters;
  }

  #histogram(
    name: string,
    help: string,
    labelNames: readonly string[],
    bounds: readonly number[],
  ): Histograms {
    const histograms = new Histograms(`modelgate_${name}`, help, labelNames, bounds);
    this.#all.push(histograms);
    return histograms;
  }
}

export type MetricsDeps = {
  /** Returns the operator's cost in nano-units of the request's currency; null if unknown. */
  readonly operatorCost: (receipt: Receipt) => NanoAmount | null;
  /** The values that are computed when `/metrics` is scraped. */
  readonly gauged: Gauged;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
};

/**
 * Returns the value of the metric's label `outcome`. An upstream's refusal that only the caller can
 * fix has a value of its own, so that a caller's bad requests do not count as failures.
 */
function outcomeLabel({ outcome, errorCode }: Receipt): string {
  const known: Readonly<Partial<Record<string, { readonly status: number }>>> = ERRORS;
  const status = known[errorCode ?? '']?.status ?? 500;
  return outcome === 'upstream_error' && status < 500 ? 'rejected_request' : outcome;
}

/**
 * Returns the value of the metric's label `result` for an attempt. An upstream can send any status,
 * so rare statuses share a value such as `5xx`.
 */
function resultLabel(result: string): string {
  if (!/^\d/.test(result) || TELLING_STATUSES.has(result)) return result;
  return /^[1-5]\d\d$/.test(result) ? `${result.slice(0, 1)}xx` : 'other';
}
