/** Compares a provider's bill for an upstream with the receipts of that upstream. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, nextTurn } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isProxied } from '../config/runtime.ts';
import { REPORTS, type ReportKind } from '../config/upstream-schema.ts';
import { GatewayError } from '../errors.ts';
import { type Currency, parseDecimal } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { RequestFilter, RequestPlace } from '../reports/request-filter.ts';
import type { RequestLog } from '../reports/request-log.ts';
import { Egress } from '../upstreams/egress.ts';
import type { Bill } from './bill.ts';
import { compare } from './compare.ts';
import { type CsvColumns, csvBill } from './csv-report.ts';
import {
  anthropicReport,
  type DayRange,
  openAiReport,
  openRouterReport,
  type ReadReport,
} from './provider-reports.ts';
import { ReceiptTotals } from './receipt-sums.ts';
import { type Reconciliation, reconciliationOf } from './reconciliation.ts';
import { ReportReader } from './report-reader.ts';

/** Maximum days of one comparison. They fit into one page of every provider's report. */
export const MAX_DAYS = 31;
/**
 * The number of receipts per page. It is low, because computing the costs of a page takes a few
 * milliseconds, and the event loop gets a turn only after each page.
 */
const PAGE_RECEIPTS = 1_000;
/** The tolerance, in percent, of an upstream whose settings state none. */
const TOLERANCE = '1';

type Settings = Config['upstreams'][string];
type NetworkSettings = Exclude<Settings, { protocol: 'builtin' }>;

const READERS: Readonly<
  Record<
    ReportKind,
    {
      readonly read: ReadReport;
      readonly headers: (key: string) => Readonly<Record<string, string>>;
    }
  >
> = {
  openai: { read: openAiReport, headers: (key) => ({ authorization: `Bearer ${key}` }) },
  anthropic: {
    read: anthropicReport,
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  },
  openrouter: { read: openRouterReport, headers: (key) => ({ authorization: `Bearer ${key}` }) },
};

const EVERY_REQUEST: Omit<RequestFilter, 'upstream' | 'fromMs' | 'toMs'> = {
  accountId: null,
  keyId: null,
  model: null,
  channel: null,
  outcomes: null,
  status: null,
  idPrefix: null,
  currency: null,
  minCost: null,
};

/** A provider's bill as CSV. */
export type CsvSource = {
  readonly text: string;
  readonly columns: CsvColumns;
  readonly currency: Currency;
};

export type ReconcilerDeps = {
  readonly upstreams: () => Config['upstreams'];
  readonly catalogue: () => Pick<Catalogue, 'models'>;
  readonly requests: Pick<RequestLog, 'page' | 'archiveOf'>;
  readonly clock: Clock;
};

export class Reconciler {
  readonly #deps: ReconcilerDeps;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  /** The upstreams whose reports are configured. */
  get upstreams(): readonly string[] {
    return Object.entries(this.#deps.upstreams()).flatMap(([name, settings]) =>
      settings.protocol === 'builtin' || settings.reconcile === undefined ? [] : [name],
    );
  }

  /**
   * Compares the receipts of an upstream on these days with the provider's report, or with `csv` if
   * it is not null.
   * @throws GatewayError `not_found`; `invalid_value`; `upstream_failed` if the report cannot be
   *   read; `store_unavailable`.
   */
  async run(upstream: string, days: DayRange, csv: CsvSource | null): Promise<Reconciliation> {
    const settings = this.#settingsOf(upstream);
    const archive = await this.#deps.requests.archiveOf(days);
    if (archive !== null)
      throw new GatewayError(
        'invalid_value',
        `Receipts of these days are archived in ${archive}, so they cannot be compared.`,
        { param: 'from' },
      );
    const bill =
      csv === null
        ? await this.#fetched(upstream, settings, days)
        : csvBill(csv.text, csv.columns, csv.currency);
    const within = { ...bill, rows: bill.rows.filter((row) => isWithin(row.day, days)) };
    if (csv !== null && within.rows.length === 0)
      throw new GatewayError('invalid_value', 'The CSV file has no rows for these days.', {
        param: 'csv',
      });
    const totals = await this.#totals(upstream, days, bill.currency);
    const tolerance =
      settings.protocol === 'builtin' ? TOLERANCE : (settings.reconcile?.tolerance ?? TOLERANCE);
    return reconciliationOf({
      upstream,
      days,
      source: csv === null ? 'report' : 'csv',
      currency: bill.currency,
      tolerance,
      comparison: compare(within, totals.groups, Number(parseDecimal(tolerance, 2))),
    });
  }

  async #totals(upstream: string, days: DayRange, currency: Currency): Promise<ReceiptTotals> {
    const totals = new ReceiptTotals(this.#deps.catalogue(), currency);
    const [fromMs, toMs] = [days.from * DAY_MS, (days.to + 1) * DAY_MS];
    const filter = { ...EVERY_REQUEST, upstream, fromMs, toMs };
    let after: RequestPlace | null = null;
    do {
      const page = await this.#deps.requests.page(filter, PAGE_RECEIPTS, after);
      for (const request of page.rows) totals.add(request);
      after = page.next;
      await nextTurn();
    } while (after !== null);
    return totals;
  }

  async #fetched(name: string, settings: Settings, days: DayRange): Promise<Bill> {
    if (settings.protocol === 'builtin' || settings.reconcile === undefined) {
      throw new GatewayError(
        'invalid_value',
        `Upstream ${JSON.stringify(name)} has no \`reconcile\` setting. Add the provider's admin key there, or give the bill as CSV.`,
        { param: 'upstream' },
      );
    }
    const { reconcile, base_url: upstreamUrl, allow_private: allowPrivate } = settings;
    const { read, headers } = READERS[reportOf(name, settings)];
    const baseUrl = reconcile.base_url ?? upstreamUrl;
    const { clock } = this.#deps;
    const reader = new ReportReader({
      name,
      baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/v1$/, ''),
      headers: headers(reconcile.admin_key.reveal()),
      egress: new Egress({
        name: `upstream "${name}"`,
        baseUrl,
        allowPrivate,
        isProxied: isProxied(baseUrl),
        clock,
      }),
      clock,
    });
    return await read(reader, days, { keyId: reconcile.key_id, project: reconcile.project });
  }

  #settingsOf(name: string): Settings {
    const all = this.#deps.upstreams();
    const settings = Object.hasOwn(all, name) ? all[name] : undefined;
    if (settings !== undefined) return settings;
    throw new GatewayError(
      'not_found',
      `There is no upstream ${JSON.stringify(name.slice(0, 64))}. Known upstreams: ${Object.keys(all).join(', ')}.`,
      { param: 'upstream' },
    );
  }
}

const isWithin = (day: number, { from, to }: DayRange): boolean => day >= from && day <= to;

function reportOf(name: string, { make, reconcile }: NetworkSettings): ReportKind {
  const kind = reconcile?.report ?? REPORTS.find((it) => it === make);
  if (kind !== undefined) return kind;
  throw new GatewayError(
    'invalid_value',
    `Upstream ${JSON.stringify(name)} has a \`make\` without a known report. Set \`reconcile.report\`.`,
    { param: 'upstream' },
  );
}
