/**
 * Keeps settlements and voids in a file on this machine while the store is unavailable. The file is
 * flushed before the caller's response ends, so a delivered response is charged even if the
 * database restarts.
 *
 * Several processes may share the file, and each of them sends all commands. That is safe, because
 * the ledger applies a settlement only once per id.
 */

import { constants, Database as SqliteFile } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { nextTurn } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { nano } from '../money/amount.ts';
import { NO_USAGE } from '../money/usage.ts';
import { isDamaged, keepPrivate } from '../store/sqlite/store-file.ts';
import type { Ledger, Outcome, SettleCommand, VoidCommand } from './ledger.ts';

/**
 * Maximum commands in the file, far more than the requests in flight. Further commands are refused.
 */
export const MAX_SPOOLED = 100_000;
/**
 * With this many commands, the file refuses voids, to keep space for settlements. By then, the
 * lease of this process has long ended, so other nodes release the holds anyway.
 */
export const MAX_WITH_VOIDS = MAX_SPOOLED / 2;
/** The number of commands that are sent at a time: few, because the store has just recovered. */
const REPLAY_BATCH = 200;
/**
 * The disk space to reserve, enough for more than a thousand settlements. Once the disk is full, no
 * request is accepted, so the space only has to last for the requests in flight.
 */
export const RESERVED_BYTES = 4 * 1024 * 1024;
/**
 * After this many pages, the write-ahead log starts over, so that it stays in its reserved space.
 */
const LOG_PAGES = 500;
/** How long to wait while another process writes to the file. */
const LOCK_WAIT_MS = 2_000;

/**
 * The format of the rows. Raise it when an earlier version could read a row but would lose a part
 * of it. A version leaves rows of a higher format to versions that know that format.
 */
export const SPOOL_FORMAT = 1;
/**
 * The SQL condition for rows that this version may send. It includes rows that are not JSON, which
 * are refused when they are read.
 */
const MAY_SEND = `refused IS NULL AND NOT (json_valid(command)
  AND COALESCE(json_extract(command, '$.format'), 1) > ${SPOOL_FORMAT})`;

export type SpooledCommand = SettleCommand | VoidCommand;

/**
 * Whether a spooled settlement of a request with an Idempotency-Key may still be charged. `claimId`
 * is the request's claim of that key. After the claim has ended, a repeat may have claimed the key
 * and been charged instead.
 * @throws GatewayError `store_unavailable`
 */
export type MayCharge = (claimId: string, atMs: number) => Promise<boolean>;

/**
 * The result of sending the spooled commands. The refused ones stay in the file for the operator.
 */
export type Replayed = { readonly applied: number; readonly refused: readonly Refused[] };
export type Refused = { readonly id: string; readonly kind: string; readonly reason: string };

type Waiting = {
  readonly command: SpooledCommand;
  readonly claimId: string | null;
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

  /**
   * Opens the file at `path` if it exists. Otherwise, the first command creates it.
   * @throws Error with a message for the operator when the file is damaged.
   */
  constructor(path: string) {
    this.#path = path;
    try {
      if (existsSync(path)) this.#waiting = this.#count();
    } catch (thrown) {
      throw isDamaged(thrown) ? damaged(path, thrown) : thrown;
    }
  }

  /**
   * Extends the file and its write-ahead log to their full size, so that settlements need no more
   * disk space later.
   * @throws Error with a message for the operator when there is not enough space.
   */
  reserve(): void {
    try {
      const file = this.#open();
      if (freeBytes(file) >= RESERVED_BYTES && sizeOf(`${this.#path}-wal`) >= RESERVED_BYTES)
        return;
      file.transaction(() => {
        file.run('DROP TABLE IF EXISTS reserved');
        file.run('CREATE TABLE reserved (filler BLOB)');
        // The filler is random, because some file systems store zeros without using space.
        file.run('INSERT INTO reserved VALUES (randomblob(?))', [RESERVED_BYTES]);
      })();
      file.run('DROP TABLE reserved');
      // The next write starts at the beginning of the write-ahead log, which keeps its size.
      file.run('PRAGMA wal_checkpoint(RESTART)');
      file.run('PRAGMA shrink_memory');
    } catch (thrown) {
      const mebibytes = (2 * RESERVED_BYTES) / 1024 / 1024;
      throw new Error(
        `${this.#path} needs ${mebibytes} MiB on disk, for settlements while the store is unavailable`,
        { cause: thrown },
      );
    }
  }

  /** The number of spooled commands that have not reached the store yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The number of rows in a newer format, which only a newer version can send. */
  get ofNewerVersions(): number {
    if (!existsSync(this.#path)) return 0;
    const row = this.#open()
      .query<{ rows: number }, []>(
        `SELECT COUNT(*) AS rows FROM spooled WHERE refused IS NULL AND NOT (${MAY_SEND})`,
      )
      .get();
    return row?.rows ?? 0;
  }

  /**
   * Resolves when `command` is on disk. Commands of one turn of the event loop share one flush.
   * @param claimId see `MayCharge`; null for a request without an Idempotency-Key
   * @throws GatewayError `store_unavailable` when the spool is full; any error of the file system.
   */
  keep(command: SpooledCommand, claimId: string | null = null): Promise<void> {
    const most = command.kind === 'settle' ? MAX_SPOOLED : MAX_WITH_VOIDS;
    if (this.#waiting + this.#queue.length >= most) {
      const message = 'Too many settlements are waiting for the store.';
      return Promise.reject(new GatewayError('store_unavailable', message));
    }
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) void nextTurn().then(() => this.#flush());
      this.#queue.push({ command, claimId, resolve, reject });
    });
  }

  /**
   * Sends spooled commands, oldest first, until all are sent, the store fails, or `isTime` returns
   * false.
   */
  replay(
    ledger: Pick<Ledger, 'apply'>,
    isTime = (): boolean => true,
    mayCharge: MayCharge = () => Promise.resolve(true),
  ): Promise<Replayed> {
    this.#replaying ??= this.#replayAll({ ledger, mayCharge }, isTime).finally(() => {
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
        for (const { command, claimId } of queue) insert.run(encode(command, claimId));
      })();
      this.#waiting += queue.length;
      for (const { resolve } of queue) resolve();
    } catch (thrown) {
      for (const { reject } of queue) reject(thrown);
    }
  }

  async #replayAll(to: Receivers, isTime: () => boolean): Promise<Replayed> {
    const refused: Refused[] = [];
    let applied = 0;
    for (;;) {
      const rows = this.#oldest();
      const sent = await sendAll(to, rows);
      const taken = sent.filter(({ reason }) => reason === null);
      const notTaken = sent.filter(({ reason }) => reason !== null && reason !== 'later');
      this.#remove(taken.map(({ row }) => row));
      for (const { row, entry, reason } of notTaken) {
        this.#refuse(row, reason ?? '');
        refused.push({ ...entry, reason: reason ?? '' });
      }
      applied += taken.length;
      const done = taken.length + notTaken.length;
      // Counts the rows only after the last batch, because counting reads all spooled rows.
      const isEmptied = done === rows.length && rows.length < REPLAY_BATCH;
      this.#waiting = isEmptied ? this.#count() : Math.max(1, this.#waiting - done);
      if (isEmptied || done < rows.length || !isTime()) return { applied, refused };
    }
  }

  #open(): SqliteFile {
    if (this.#file !== null) return this.#file;
    keepPrivate(this.#path);
    const file = new SqliteFile(this.#path, { create: true, readwrite: true });
    file.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
    file.run('PRAGMA journal_mode = WAL');
    file.run('PRAGMA synchronous = FULL');
    file.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    // Keeps the write-ahead log when the file is closed, and thereby its reserved space.
    file.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    file.run(`CREATE TABLE IF NOT EXISTS spooled (
      seq INTEGER PRIMARY KEY, command TEXT NOT NULL, refused TEXT) STRICT`);
    this.#file = file;
    return file;
  }

  #count(): number {
    const row = this.#open()
      .query<{ waiting: number }, []>(`SELECT COUNT(*) AS waiting FROM spooled WHERE ${MAY_SEND}`)
      .get();
    return row?.waiting ?? 0;
  }

  #oldest(): readonly SpoolRow[] {
    return this.#open()
      .query<SpoolRow, [number]>(
        `SELECT seq, command FROM spooled WHERE ${MAY_SEND} ORDER BY seq LIMIT ?`,
      )
      .all(REPLAY_BATCH);
  }

  /** Compares the command too: another process may have removed the row and reused its `seq`. */
  #remove(rows: readonly SpoolRow[]): void {
    const file = this.#open();
    const remove = file.prepare('DELETE FROM spooled WHERE seq = ? AND command = ?');
    file.transaction(() => {
      for (const { seq, command } of rows) remove.run(seq, command);
    })();
  }

  #refuse({ seq, command }: SpoolRow, reason: string): void {
    const sql = 'UPDATE spooled SET refused = ? WHERE seq = ? AND command = ?';
    this.#open().run(sql, [reason, seq, command]);
  }
}

function damaged(path: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `The file ${path} is damaged (${why}). It keeps the settlements that the database has not ` +
      'accepted yet. Move it, its -wal and its -shm to another folder, and start again. Those ' +
      'settlements are then not charged.',
    { cause },
  );
}

/** Returns the bytes of free pages, which new rows use before the file grows. */
function freeBytes(file: SqliteFile): number {
  const query =
    'SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size';
  return file.query<{ bytes: number }, []>(query).get()?.bytes ?? 0;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

type Sent = {
  readonly row: SpoolRow;
  readonly entry: Pick<Refused, 'id' | 'kind'>;
  /** Why the command was refused; `later` if the store was unavailable; null if not refused. */
  readonly reason: string | null;
};

type Receivers = { readonly ledger: Pick<Ledger, 'apply'>; readonly mayCharge: MayCharge };

/**
 * The reason why a charge is refused: a repeat of the request may be charged instead, so the
 * operator pays for the first answer.
 */
const SUPERSEDED = 'its Idempotency-Key was released for a retry before this charge arrived';

/** Sends each command in its own call, so that a refused command fails alone. */
async function sendAll(
  { ledger, mayCharge }: Receivers,
  rows: readonly SpoolRow[],
): Promise<readonly Sent[]> {
  return await Promise.all(
    rows.map(async (row): Promise<Sent> => {
      // A row from another version may be unreadable, and must not block the rows after it.
      let entry = { id: `row ${row.seq}`, kind: 'unreadable' };
      try {
        const { command, claimId } = decode(row.command);
        entry = { id: command.id, kind: command.kind };
        if (claimId !== null && !(await mayCharge(claimId, command.atMs))) {
          return { row, entry, reason: SUPERSEDED };
        }
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

/**
 * Returns why a command was refused; null if it was not. A void that the ledger refuses has nothing
 * to release, so it does not count as refused.
 */
function refusalOf(command: SpooledCommand, outcome: Outcome | undefined): string | null {
  if (outcome === undefined) return 'no outcome';
  if (outcome.status === 'applied' || outcome.status === 'already_applied') return null;
  return command.kind === 'void' ? null : outcome.status;
}

function encode(command: SpooledCommand, claimId: string | null): string {
  // Only a charge needs `claimId`: a request without a charge has already freed its
  // Idempotency-Key.
  const isCharged = command.kind === 'settle' && command.charge > 0n;
  const claim = isCharged && claimId !== null ? { claimId } : {};
  return JSON.stringify({ ...command, ...claim, format: SPOOL_FORMAT }, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** A row of the spool. `format` is absent in rows of an earlier version. */
type Spooled = SpooledJson & { readonly format?: number };

/** A spooled command as JSON, in which each bigint is text. */
type SpooledJson =
  | (VoidCommand & { readonly claimId?: undefined })
  | (Omit<SettleCommand, 'charge' | 'receipt' | 'carefulAnswers' | 'held' | 'exchangeId'> & {
      readonly charge: string;
      /** The id of the request's claim of its Idempotency-Key: see `MayCharge`. */
      readonly claimId?: string;
      readonly carefulAnswers?: number;
      /** Absent in a spool of an earlier version, like `exchangeId`. */
      readonly held?: string | null;
      readonly exchangeId?: string | null;
      readonly receipt: Omit<SettleCommand['receipt'], 'costPico' | 'reportedCostPico'> & {
        readonly costPico: string;
        /** Absent in a spool of an earlier version, as are the fields of `LATER`. */
        readonly reportedCostPico?: string | null;
      };
    });

/** The fields of a receipt that a spool of an earlier version can lack. */
const LATER = { facts: null, upstreamId: null, measure: null };

function decode(text: string): Pick<Waiting, 'command' | 'claimId'> {
  const { claimId = null, format: _, ...entry } = JSON.parse(text) as Spooled;
  return { claimId, command: commandFrom(entry) };
}

function commandFrom(entry: SpooledJson): SpooledCommand {
  if (entry.kind === 'void') return entry;
  const { charge, receipt, carefulAnswers = 0, held = null, exchangeId = null, ...rest } = entry;
  const { reportedCostPico = null } = receipt;
  return {
    ...rest,
    carefulAnswers,
    held: held === null ? null : nano(BigInt(held)),
    exchangeId,
    charge: nano(BigInt(charge)),
    receipt: {
      ...LATER,
      ...receipt,
      // A spool of an earlier version lacks the usage buckets that were added later.
      usage: { ...NO_USAGE, ...receipt.usage },
      costPico: BigInt(receipt.costPico),
      reportedCostPico: reportedCostPico === null ? null : BigInt(reportedCostPico),
    },
  };
}
