/** Sums the movements of deleted receipts, so that each wallet's chain of balances holds. */
import { CURRENCIES, type Currency } from '../../money/amount.ts';

/** A movement of a wallet by a request, as a row of the view `movement`. */
export type RequestMovement = {
  readonly seq: bigint;
  readonly line: bigint;
  readonly currency: Currency;
  readonly kind: 'settle' | 'late' | 'exchange';
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly atMs: bigint;
};

/** A row of `archived_movement`, without its account. */
export type ArchivedMovement = RequestMovement & { readonly receipts: bigint };

/** The order of the rows of one place. Movements have lines below 10. */
const FIRST_LINE = 11n;
const LINES_PER_WALLET = 10n;
/** Money that came in and money that went out stay apart, as statements add them up apart. */
const ROWS = ['exchange in', 'exchange out', 'settle out', 'late in', 'late out'] as const;

/**
 * Returns the rows that replace movements of one account. Movements between which the wallet was
 * moved otherwise are not summed together.
 *
 * @param moved the movements of the deleted receipts
 * @param keptAfter the places among theirs, in order, after which the account has other movements
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

/** Cuts movements in order at the places of others. */
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

/** Sums a run by kind and direction. Its balances lead from that before it to that after it. */
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
