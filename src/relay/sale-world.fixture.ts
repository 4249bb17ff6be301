/**
 * An in-memory gateway for tests. It also counts resources, such as timers, that a finished request
 * has not released.
 */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import { type Clock, nextTurn, type Timer } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { oneByOne } from '../ledger/one-by-one.fixture.ts';
import { RouteHealthBook, routeId } from '../routing/route-health.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { InFlight, type RelayLimits } from './in-flight.ts';
import { type Sent, WalletLedger } from './scheduled-upstreams.fixture.ts';
import type { Shop } from './sell.ts';

/** External events during a request. */
export const EVENTS = [
  'leave',
  'revoke',
  'shutdown',
  'store_away',
  'store_back',
  /** Loads a configuration without models and upstreams. */
  'reload',
] as const;
type Event = (typeof EVENTS)[number];

/** The step by which the clock advances. */
export const STEP_MS = 100;
/** Milliseconds after which a request counts as hanging: longer than any deadline of a test. */
const LONGEST_MS = 60_000;
/** After this many turns of the event loop, promises and streams have settled. */
const TURNS = 6;

export const NOTHING_LEFT = {
  held: 0,
  running: 0,
  readOn: 0,
  permits: 0,
  timers: 0,
  exchanges: 0,
  trials: 0,
} as const;

export type WorldOptions = {
  readonly catalogue: Catalogue;
  readonly limits: RelayLimits;
  readonly balance: bigint;
  /** How long the store takes to answer, in milliseconds. */
  readonly ledgerMs: number;
  readonly events: readonly { readonly atMs: number; readonly what: Event }[];
};

export type Got = {
  response: Response | null;
  error: GatewayError | null;
  text: string;
  isOver: boolean;
};

type Read = (response: Response, take: (text: string) => void) => Promise<void>;

/** @param upstreamsOf creates upstreams that record their requests. */
export function openWorld(
  options: WorldOptions,
  upstreamsOf: (clock: Clock, sent: Sent[]) => readonly Upstream[],
) {
  const manual = manualClock();
  const { clock, waiting } = countingTimers(manual);
  const ledger = new WalletLedger(manual, options.balance, options.ledgerMs);
  const inFlight = new InFlight(clock, (thrown) => {
    throw thrown;
  });
  const health = new RouteHealthBook({ clock, onChange: () => undefined, isProbed: () => false });
  const sent: Sent[] = [];
  const configured = {
    catalogue: options.catalogue,
    upstreams: new Map(upstreamsOf(manual, sent).map((each) => [each.name, each])),
  };
  const names = [...configured.upstreams.keys()];
  const counts = { permits: 0, releases: 0, settled: 0 };
  const caller = new AbortController();
  const shop: Shop = {
    ...{ clock, inFlight, health, limits: options.limits, draw: () => 0 },
    till: {
      ...{ ledger: oneByOne((batch) => ledger.apply(batch), ledger), clock },
      spool: ledger,
      mustWait: () => false,
      epoch: () => 'node',
      holdLifetimeMs: 1_000_000,
      carefulAnswers: 0,
      onSettled: () => {
        counts.settled += 1;
      },
      onSettleFailed: (_command, thrown) => {
        throw thrown;
      },
    },
    limiter: { admit: () => countedPermit(counts) },
    catalogue: () => configured.catalogue,
    upstreams: () => configured.upstreams,
    onBrokenStream: () => undefined,
    onAttemptFailed: () => undefined,
  };

  const left = (): Record<keyof typeof NOTHING_LEFT, number> => ({
    held: ledger.held.size,
    running: inFlight.count,
    readOn: inFlight.readOnCount,
    permits: counts.permits,
    timers: waiting(),
    exchanges: sent.filter(({ open }) => open).length,
    trials: names.reduce(
      (sum, upstream) => sum + health.fitness(routeId({ upstream, model: 'm' })).inFlight,
      0,
    ),
  });

  const happens = (what: Event): void => {
    const end = (why: GatewayError) => inFlight.end(() => true, why);
    if (what === 'leave') caller.abort();
    else if (what === 'revoke') end(new GatewayError('invalid_api_key', 'Revoked.'));
    else if (what === 'shutdown') end(new GatewayError('shutting_down', 'Restarting.'));
    else if (what === 'reload') {
      configured.catalogue = { ...options.catalogue, models: new Map() };
      configured.upstreams = new Map();
      health.keepOnly([]);
    } else ledger.isAway = what === 'store_away';
  };

  /**
   * Begins a request. Then advances the clock step by step and triggers the scheduled events, until
   * the request is over and no timer or call is left.
   */
  const drive = async (begin: () => Promise<Response>, read: Read): Promise<Got> => {
    const { got, whole } = followed(begin, read);
    const isQuiet = (): boolean => {
      const { running, timers, exchanges } = left();
      return got.isOver && running + timers + exchanges === 0;
    };
    const due = [...options.events].sort((a, b) => a.atMs - b.atMs);
    for (let atMs = 0; atMs < LONGEST_MS && !isQuiet(); atMs += STEP_MS) {
      const now = due.findLastIndex((each) => each.atMs <= atMs) + 1;
      for (const { what } of due.splice(0, now)) happens(what);
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
      manual.advance(STEP_MS);
    }
    await whole;
    return got;
  };

  return { shop, caller, ledger, sent, counts, left, drive };
}

/** Starts a request, and collects its results in `got`. */
function followed(begin: () => Promise<Response>, read: Read) {
  const got: Got = { response: null, error: null, text: '', isOver: false };
  const follow = async (): Promise<void> => {
    try {
      got.response = await begin();
      await read(got.response, (text) => {
        got.text += text;
      });
    } catch (thrown) {
      got.error = asGatewayError(thrown);
    } finally {
      got.isOver = true;
    }
  };
  return { got, whole: follow() };
}

/** Counts the timers that have neither fired nor been canceled. */
function countingTimers(clock: Clock): { readonly clock: Clock; readonly waiting: () => number } {
  const waiting = new Set<object>();
  const after = (delayMs: number, run: () => void): Timer => {
    const mark = {};
    waiting.add(mark);
    const timer = clock.after(delayMs, () => {
      waiting.delete(mark);
      run();
    });
    return {
      cancel: () => {
        waiting.delete(mark);
        timer.cancel();
      },
    };
  };
  return { clock: { ...clock, after }, waiting: () => waiting.size };
}

function countedPermit(counts: { permits: number }) {
  counts.permits += 1;
  let isOver = false;
  return {
    headers: () => ({}),
    end: () => {
      if (!isOver) counts.permits -= 1;
      isOver = true;
    },
  };
}
