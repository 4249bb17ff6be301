/**
 * Marks a copy that a dry run of `modelgate migrate --to` has made: `schema_migration` gets a row
 * with id 0. By default, no gateway opens such a copy, because it lacks all later charges.
 */
import type { Asking, PostgresLink } from './postgres-link.ts';

const ASK_MS = 10_000;
const MARK = 0;

/** Returns when the dry-run copy was taken, in milliseconds; null for any other database. */
export async function dryRunTakenAt(target: Asking): Promise<number | null> {
  const [mark] = await target.unsafe<{ taken: bigint }[]>(
    `SELECT applied_at_ms AS taken FROM schema_migration WHERE id = ${MARK}`,
  );
  return mark === undefined ? null : Number(mark.taken);
}

/** Marks the database as a dry-run copy taken at `takenAtMs`. Null removes the mark. */
export async function markDryRun(target: Asking, takenAtMs: number | null): Promise<void> {
  await target.unsafe(`DELETE FROM schema_migration WHERE id = ${MARK}`);
  if (takenAtMs === null) return;
  await target.unsafe(`INSERT INTO schema_migration VALUES (${MARK}, 'dry run', $1)`, [takenAtMs]);
}

/** @throws Error with a message for the operator when the database is a dry-run copy. */
export async function refuseDryRun(link: PostgresLink): Promise<void> {
  const takenAtMs = await link.ask(ASK_MS, dryRunTakenAt);
  if (takenAtMs === null) return;
  throw new Error(
    `it is a dry run, copied at ${new Date(takenAtMs).toISOString()} from a gateway that kept ` +
      'selling, so it lacks later sales. Stop that gateway, then run `modelgate migrate --to` with ' +
      'this address, which replaces the dry run with all data.',
  );
}
