/**
 * Where settlements wait while the store is away: a small file of this machine's own, flushed before a
 * caller's answer ends, replayed by id when the store is back or the process starts again. Nothing that
 * was delivered is forgotten because a database was restarted.
 *
 * Several processes may share the file. Each replays whatever it finds: a settlement is applied once by
 * its id, however many of them send it.
 */

import { Database as SqliteFile } from 'bun:sqlite';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { nextTurn } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { nano } from '../money/amount.ts';
import { NO_USAGE } from '../money/usage.ts';
import type { Ledger, Outcome, SettleCommand, VoidCommand } from './ledger.ts';

/** Far more than can be in flight at once; what comes beyond is refused, and reported. */
export const MAX_SPOOLED = 100_000;
/**
 * Only settlements may fill the rest. Every request that asks a frozen store leaves a hold to give back, and
 * after so many of them the lease of this process has long ended, by which they are given back anyway.
 */
export const MAX_WITH_VOIDS = MAX_SPOOLED / 2;
/** Commands sent to the store at once: few, as it has just come back. */
const REPLAY_BATCH = 200;
/** Another process may be writing to the file. */
const LOCK_WAIT_MS = 2_000;

export type SpooledCommand = SettleCommand | VoidCommand;

/** `refused` stay in the file with the reason: the books will not take them, and a person must look. */
export type Replayed = { readonly applied: number; readonly refused: readonly Refused[] };
export type Refused = { readonly id: string; readonly kind: string; readonly reason: string };

type Waiting = {
  readonly command: SpooledCommand;
  readonly resolve: () => void;
  readonly reject: (thrown: unknown) => void;
};
type SpoolRow = { readonly seq: number; readonly command: string };

export class SettlementSpool {
  readonly #path: string;
  #file: SqliteFile | null = null;
  #queue: Waiting[] = [];
  #waiting = 0;
  #replaying: Promise<Replayed> | null = null;

  /** The file is made when it is first needed; one that is there is read at once. */
  constructor(path: string) {
    this.#path = path;
    if (existsSync(path)) this.#waiting = this.#count();
  }

  /** Commands of this machine that the store does not have yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Resolves when `command` is on disk. What is given in one turn of the event loop shares one flush.
   * @throws GatewayError `store_unavailable` when the spool is full; what the file system says otherwise.
   */
  keep(command: SpooledCommand): Promise<void> {
    const most = command.kind === 'settle' ? MAX_SPOOLED : MAX_WITH_VOIDS;
    if (this.#waiting + this.#queue.length >= most) {
      const message = 'The gateway holds more unwritten settlements than it may.';
      return Promise.reject(new GatewayError('store_unavailable', message));
    }
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) void nextTurn().then(() => this.#flush());
      this.#queue.push({ command, resolve, reject });
    });
  }

  /**
   * Sends what waits to the store, oldest first, until all is there or the store is away again.
   * @param isTime asked between two batches; when it is not, the rest waits for another call.
   */
  replay(ledger: Pick<Ledger, 'apply'>, isTime = (): boolean => true): Promise<Replayed> {
    this.#replaying ??= this.#replayAll(ledger, isTime).finally(() => {
      this.#replaying = null;
    });
    return this.#replaying;
  }

  close(): void {
    this.#flush();
    this.#file?.close();
    this.#file = null;
  }

  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    if (queue.length === 0) return;
    try {
      const file = this.#open();
      const insert = file.prepare('INSERT INTO spooled (command) VALUES (?)');
      file.transaction(() => {
        for (const { command } of queue) insert.run(encode(command));
      })();
      this.#waiting += queue.length;
      for (const { resolve } of queue) resolve();
    } catch (thrown) {
      for (const { reject } of queue) reject(thrown);
    }
  }

  async #replayAll(ledger: Pick<Ledger, 'apply'>, isTime: () => boolean): Promise<Replayed> {
    const refused: Refused[] = [];
    let applied = 0;
    for (;;) {
      const rows = this.#oldest();
      const sent = await sendAll(ledger, rows);
      const taken = sent.filter(({ reason }) => reason === null);
      const notTaken = sent.filter(({ reason }) => reason !== null && reason !== 'later');
      this.#remove(taken.map(({ row }) => row.seq));
      for (const { row, entry, reason } of notTaken) {
        this.#refuse(row.seq, reason ?? '');
        refused.push({ ...entry, reason: reason ?? '' });
      }
      applied += taken.length;
      const done = taken.length + notTaken.length;
      // Counting reads all that waits, so it is left to the end, when that is little.
      const isEmptied = done === rows.length && rows.length < REPLAY_BATCH;
      this.#waiting = isEmptied ? this.#count() : Math.max(1, this.#waiting - done);
      if (isEmptied || done < rows.length || !isTime()) return { applied, refused };
    }
  }

  #open(): SqliteFile {
    if (this.#file !== null) return this.#file;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = new SqliteFile(this.#path, { create: true, readwrite: true });
    file.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
    file.run('PRAGMA journal_mode = WAL');
    file.run('PRAGMA synchronous = FULL');
    file.run(`CREATE TABLE IF NOT EXISTS spooled (
      seq INTEGER PRIMARY KEY, command TEXT NOT NULL, refused TEXT) STRICT`);
    this.#file = file;
    return file;
  }

  #count(): number {
    const row = this.#open()
      .query<{ waiting: number }, []>(
        'SELECT COUNT(*) AS waiting FROM spooled WHERE refused IS NULL',
      )
      .get();
    return row?.waiting ?? 0;
  }

  #oldest(): readonly SpoolRow[] {
    return this.#open()
      .query<SpoolRow, [number]>(
        'SELECT seq, command FROM spooled WHERE refused IS NULL ORDER BY seq LIMIT ?',
      )
      .all(REPLAY_BATCH);
  }

  #remove(sequence: readonly number[]): void {
    const file = this.#open();
    const remove = file.prepare('DELETE FROM spooled WHERE seq = ?');
    file.transaction(() => {
      for (const seq of sequence) remove.run(seq);
    })();
  }

  #refuse(seq: number, reason: string): void {
    this.#open().run('UPDATE spooled SET refused = ? WHERE seq = ?', [reason, seq]);
  }
}

type Sent = {
  readonly row: SpoolRow;
  readonly entry: Pick<Refused, 'id' | 'kind'>;
  /** Null: the books have it. `later`: the store was away. Else why they will not take it. */
  readonly reason: string | null;
};

/** Each as a call of its own, which share commits: one that the books cannot take fails alone. */
async function sendAll(
  ledger: Pick<Ledger, 'apply'>,
  rows: readonly SpoolRow[],
): Promise<readonly Sent[]> {
  return await Promise.all(
    rows.map(async (row): Promise<Sent> => {
      // A row that cannot be read, written by another version, must not keep back all others.
      let entry = { id: `row ${row.seq}`, kind: 'unreadable' };
      try {
        const command = decode(row.command);
        entry = { id: command.id, kind: command.kind };
        const [outcome] = await ledger.apply([command]);
        return { row, entry, reason: refusalOf(command, outcome) };
      } catch (thrown) {
        const { code, message } = asGatewayError(thrown);
        const reason = code === 'store_unavailable' ? 'later' : `${code}: ${message}`;
        return { row, entry, reason };
      }
    }),
  );
}

/** A hold that is settled or gone needs no giving back. */
function refusalOf(command: SpooledCommand, outcome: Outcome | undefined): string | null {
  if (outcome === undefined) return 'no outcome';
  if (outcome.status === 'applied' || outcome.status === 'already_applied') return null;
  return command.kind === 'void' ? null : outcome.status;
}

function encode(command: SpooledCommand): string {
  return JSON.stringify(command, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** As JSON tells it: with text for each bigint. */
type SpooledJson =
  | VoidCommand
  | (Omit<SettleCommand, 'charge' | 'receipt'> & {
      readonly charge: string;
      readonly receipt: Omit<SettleCommand['receipt'], 'costPico'> & { readonly costPico: string };
    });

function decode(text: string): SpooledCommand {
  const entry = JSON.parse(text) as SpooledJson;
  if (entry.kind === 'void') return entry;
  const { charge, receipt, ...rest } = entry;
  return {
    ...rest,
    charge: nano(BigInt(charge)),
    receipt: {
      ...receipt,
      // A spool that an earlier version wrote lacks the buckets that were added since.
      usage: { ...NO_USAGE, ...receipt.usage },
      costPico: BigInt(receipt.costPico),
    },
  };
}
