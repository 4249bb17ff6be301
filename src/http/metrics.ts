/** Counters and histograms for `/metrics`, in the Prometheus text format. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Receipt } from '../ledger/ledger.ts';
import { USAGE_BUCKETS } from '../money/usage.ts';
import type { Settled } from '../relay/purchase.ts';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('modelgate_requests_total', 'Requests settled.', [
    'endpoint',
    'model',
    'channel',
    'outcome',
  ]);
  readonly #tokens = this.#counter('modelgate_tokens_total', 'Tokens by bucket.', [
    'model',
    'bucket',
  ]);
  readonly #charged = this.#counter('modelgate_charged_nano_total', 'Charged, in nano-units.', [
    'model',
    'currency',
  ]);
  readonly #losses = this.#counter(
    'modelgate_operator_loss_nano_total',
    'Not collectable, in nano-units.',
    ['currency'],
  );
  readonly #replays = this.#counter(
    'modelgate_idempotent_replays_total',
    'Answers given again under their Idempotency-Key, without a charge.',
    ['endpoint'],
  );
  readonly #settleFailures = this.#counter(
    'modelgate_settle_failures_total',
    'Settlements that the store refused.',
    [],
  );
  readonly #duration = this.#histogram(
    'modelgate_request_seconds',
    'From admission to settlement.',
  );
  readonly #firstByte = this.#histogram(
    'modelgate_first_byte_seconds',
    'From admission to the first byte of the upstream.',
  );

  constructor(inFlight: () => number) {
    new Gauge({
      name: 'modelgate_requests_in_flight',
      help: 'Requests with money held.',
      registers: [this.#registry],
      collect() {
        this.set(inFlight());
      },
    });
    new Gauge({
      name: 'modelgate_resident_memory_bytes',
      help: 'Resident memory of the process.',
      registers: [this.#registry],
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
  }

  settled({ receipt, charge, loss }: Settled): void {
    const { endpoint, model, channel, outcome, currency } = receipt;
    this.#requests.inc({ endpoint, model, channel, outcome });
    for (const bucket of USAGE_BUCKETS) {
      if (receipt.usage[bucket] > 0) this.#tokens.inc({ model, bucket }, receipt.usage[bucket]);
    }
    this.#charged.inc({ model, currency }, Number(charge));
    if (loss > 0n) this.#losses.inc({ currency }, Number(loss));
    this.#duration.observe({ endpoint }, receipt.durationMs / 1000);
    if (receipt.firstByteMs !== null)
      this.#firstByte.observe({ endpoint }, receipt.firstByteMs / 1000);
  }

  replayed(endpoint: Receipt['endpoint']): void {
    this.#replays.inc({ endpoint });
  }

  settleFailed(): void {
    this.#settleFailures.inc();
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string): Histogram {
    return new Histogram({
      name,
      help,
      labelNames: ['endpoint'],
      buckets: SECONDS,
      registers: [this.#registry],
    });
  }
}
