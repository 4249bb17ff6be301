/** Simulated nodes that share limits through a store whose answers may be slow, lost or late. */
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { GatewayError } from '../../errors.ts';
import type { Caller } from '../account.ts';
import { DEFAULT_SCOPES, scopeBits } from '../scopes.ts';
import { LimitModel } from './limit-model.fixture.ts';
import type { LimitStore } from './limit-store.ts';
import { Limiter, type Permit } from './limiter.ts';
import { type Limits, NO_LIMITS } from './limits.ts';
import { SharedLimits } from './shared-limits.ts';

/**
 * How the store treats a node's query. `lost`: the store never receives the query. `late`: the
 * store receives it after the node's timeout.
 */
export type Fate = { readonly delayMs: number; readonly as: 'answered' | 'lost' | 'late' };
export const TIMEOUT_MS = 2_000;
const LEASE_MS = 10_000;

export const limitedCaller = (limits: Partial<Limits>, keyId = 'key_1'): Caller => ({
  accountId: 'acc_1',
  keyId,
  keyName: 'ci',
  allowExchange: true,
  priceList: null,
  limits: { key: { ...NO_LIMITS, ...limits }, account: NO_LIMITS },
  scopes: scopeBits(DEFAULT_SCOPES),
});

export type LimitNode = {
  readonly limiter: Limiter;
  readonly shared: SharedLimits;
  /** The number of queries that the node has sent to the store. */
  asked: number;
  /** When the node was killed; null while it runs. */
  deadMs: number | null;
};

/** Creates a node that uses `store`. @param count the total number of nodes. */
export function limitNode(
  store: LimitStore,
  clock: ManualClock,
  epoch: string,
  count: number,
): LimitNode {
  const node: { made: LimitNode | null } = { made: null };
  const counting: LimitStore = {
    ...store,
    count: (...question) => {
      if (node.made !== null) node.made.asked += 1;
      return store.count(...question);
    },
  };
  const shared = new SharedLimits({ store: counting, clock, epoch: () => epoch, onAway: () => {} });
  const limiter = new Limiter({ clock, shared });
  shared.setNodes(count);
  limiter.setShare(count);
  shared.start();
  node.made = { limiter, shared, asked: 0, deadMs: null };
  return node.made;
}

export class LimitWorld {
  readonly clock = manualClock();
  readonly nodes: readonly LimitNode[];
  fate: () => Fate = () => ({ delayMs: 0, as: 'answered' });
  readonly #model: LimitModel;

  constructor(count: number) {
    const { clock } = this;
    this.#model = new LimitModel(clock.nowMs, (epoch) => {
      const deadMs = this.nodes[Number(epoch)]?.deadMs ?? null;
      return deadMs === null || clock.monotonicMs() - deadMs < LEASE_MS;
    });
    this.nodes = Array.from({ length: count }, (_, at) =>
      limitNode(this.#store(), clock, String(at), count),
    );
  }

  /** Kills a node. Its lease is not renewed and ends after `LEASE_MS`. */
  kill(node: LimitNode): void {
    node.deadMs = this.clock.monotonicMs();
    node.shared.stop();
  }

  /** Simulates a crash of the store's server. */
  forget(): void {
    this.#model.forget();
  }

  /** Advances the clock by `ms` in small steps, so that answers can arrive between the steps. */
  async pass(ms: number): Promise<void> {
    const stepMs = Math.max(5, ms / 100);
    for (let left = ms; left > 0; left -= stepMs) {
      this.clock.advance(Math.min(stepMs, left));
      await settled();
    }
    await settled();
  }

  #store(): LimitStore {
    const { clock } = this;
    return {
      count: async (asks, epoch, turn) => {
        const { delayMs, as } = this.fate();
        if (delayMs > 0) await clock.sleep(as === 'late' ? TIMEOUT_MS : delayMs);
        if (as === 'lost') throw new Error('no answer');
        if (as === 'late') {
          clock.after(delayMs, () => void this.#model.count(asks, epoch, turn));
          throw new Error('no answer in time');
        }
        const answer = this.#model.count(asks, epoch, turn);
        if (delayMs > 0) await clock.sleep(delayMs);
        return answer;
      },
      sweep: async () => {},
    };
  }
}

/** Waits until all pending promise callbacks have run, except those that wait for a timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

/** Tries to start a request. Resolves with null when it is refused. */
export async function tryAdmit(
  { limiter }: Pick<LimitNode, 'limiter'>,
  caller: Caller,
  tokens = 0,
): Promise<Permit | null> {
  try {
    return await limiter.admit(caller, { model: 'm', channel: 'direct', tokens });
  } catch (thrown) {
    if (thrown instanceof GatewayError) return null;
    throw thrown;
  }
}
