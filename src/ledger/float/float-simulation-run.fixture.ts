/** Runs simulations with many seeds on one database. */
import { USD_CNY } from '../conformance/ledger.fixture.ts';
import { type Queries, verifyLedger } from '../verify.ts';
import { Simulation } from './float-simulation.fixture.ts';
import { SimulatedThread } from './simulated-thread.fixture.ts';

export type Plan = {
  /** The first seed and the number of seeds. */
  readonly first: number;
  readonly seeds: number;
  readonly steps: number;
  /** Prepares the thread, for example by planting a fault. */
  readonly prepare?: (thread: SimulatedThread) => void;
};

/** Opens a simulated store thread with the price cards and the exchange rate of the fixtures. */
export function newThread(): SimulatedThread {
  const thread = new SimulatedThread();
  const rate = [USD_CNY.id, USD_CNY.base, USD_CNY.quote, USD_CNY.scaled] as const;
  thread.query('INSERT INTO fx_rate VALUES ($1, $2, $3, $4, 0)', ...rate);
  for (const [id, currency] of [
    ['card_usd', 'USD'],
    ['card_cny', 'CNY'],
  ] as const) {
    thread.query(
      `INSERT INTO card (id, currency, model, channel, output, effective_from_ms)
       VALUES ($1, $2, 'gen-opus-4-8', 'direct', 1000, 0)`,
      ...[id, currency],
    );
  }
  return thread;
}

/** Returns the history of the first seed that breaks an invariant; null if none does. */
export async function simulate({ first, seeds, steps, prepare }: Plan): Promise<string | null> {
  const thread = newThread();
  prepare?.(thread);
  for (let seed = first; seed < first + seeds; seed += 1) {
    try {
      await new Simulation(seed, thread).run(steps);
    } catch (thrown) {
      return `seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    }
  }
  const sql: Queries = {
    query: ({ sql: text, params }) => Promise.resolve(thread.query(text, ...params)),
  };
  const [breach] = await verifyLedger(sql, 'in memory');
  if (breach !== undefined) return `${breach.invariant}: ${breach.subject}, ${breach.detail}`;
  return null;
}
