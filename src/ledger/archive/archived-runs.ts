/** Replaces the movements of deleted receipts by sums, and keeps the chain of balances unbroken. */
import { CURRENCIES, type Currency } from '../../money/amount.ts';

/** A movement of a request in a wallet, as a row of the view `movement`. */
export type RequestMovement = {
  readonly seq: bigint;
  readonly line: bigint;
  readonly currency: Currency;
  readonly kind: 'settle' | 'late' | 'exchange';
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly atMs: bigint;
};

/**
 * A row of the table `archived_movement`, without the id of its account. It has the sum of
 * `receipts` movements.
 */
export type ArchivedMovement = RequestMovement & { readonly receipts: bigint };

/**
 * The lowest line number of a row with sums. Such a row reuses the sequence number of a deleted
 * movement, and differs from it by the line number: movements have line numbers below 10.
 */
const FIRST_LINE = 11n;
const LINES_PER_WALLET = 10n;
/**
 * The kinds of rows that can replace a run (deleted movements of a wallet that have no remaining
 * movement of the account between them). Money in and money out have separate rows, because
 * statements sum them separately.
 */
const ROWS = ['exchange in', 'exchange out', 'settle out', 'late in', 'late out'] as const;

/**
 * Returns the rows that replace movements of one account. Movements are summed together only if no
 * other movement of the account is between them.
 * @param moved the movements of the deleted receipts
 * @param keptAfter sorted sequence numbers. After each of them comes a movement that is not
 *   deleted.
 */
export function archivedRuns(
  moved: readonly RequestMovement[],
  keptAfter: readonly bigint[],
): readonly ArchivedMovement[] {
  return CURRENCIES.flatMap((currency, wallet) => {
    const own = moved.filter((each) => each.currency === currency).toSorted(inOrder);
    return runsOf(own, keptAfter).flatMap((run) => rowsOf(run, wallet));
  });
}

const byValue = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const inOrder = (a: RequestMovement, b: RequestMovement): number =>
  byValue(a.seq, b.seq) || byValue(a.line, b.line);

/** Splits sorted movements into runs to sum. A run ends after each sequence number in `cuts`. */
function runsOf(
  moved: readonly RequestMovement[],
  cuts: readonly bigint[],
): readonly (readonly RequestMovement[])[] {
  const runs: RequestMovement[][] = [];
  let next = 0;
  let run: RequestMovement[] = [];
  for (const movement of moved) {
    let isCut = false;
    for (; (cuts[next] ?? movement.seq) < movement.seq; next++) isCut = true;
    if (isCut || run.length === 0) {
      run = [];
      runs.push(run);
    }
    run.push(movement);
  }
  return runs;
}

/**
 * Sums a run by kind and direction. The rows' balances begin with the balance before the run and
 * end with the balance after it.
 */
function rowsOf(run: readonly RequestMovement[], wallet: number): readonly ArchivedMovement[] {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return [];
  let balanceAfter = first.balanceAfter - first.amount;
  return ROWS.flatMap((row, place) => {
    const [kind, direction] = row.split(' ') as [RequestMovement['kind'], 'in' | 'out'];
    const own = run.filter(
      (each) => each.kind === kind && each.amount > 0n === (direction === 'in'),
    );
    const amount = own.reduce((sum, each) => sum + each.amount, 0n);
    if (own.length === 0) return [];
    balanceAfter += amount;
    const line = FIRST_LINE + BigInt(wallet) * LINES_PER_WALLET + BigInt(place);
    return {
      ...{ seq: last.seq, line, currency: last.currency, kind, amount, balanceAfter },
      ...{ receipts: BigInt(own.length), atMs: last.atMs },
    };
  });
}
