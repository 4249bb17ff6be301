/**
 * Stores prompts and answers, encrypted, for the accounts that turned on this log. Receipts and log
 * lines never contain prompts or answers. The gateway copies both while it forwards them, and
 * stores the copies after the request.
 */
import type { Clock, Timer } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { SecretKey } from '../../secrets/secret-keys.ts';
import { auditEntry } from '../../store/audit.ts';
import { integer, text } from '../../store/row.ts';
import { NONCE_BYTES, openBytes, sealBytes } from '../../store/sealed-bytes.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../../store/sql.ts';
import { BatchedRows } from '../batched-rows.ts';
import { tappedAnswer } from './tapped-answer.ts';

/** Maximum bytes that are stored of each prompt and of each answer. */
export const MAX_PROMPT_BYTES = 128 * 1024;
export const MAX_ANSWER_BYTES = 128 * 1024;
/** Maximum answers that are copied at the same time. With their prompts, they take up to 64 MB. */
export const MAX_OPEN = 256;
/** Maximum complete records that wait to be written to the store. They take up to 64 MB. */
const MAX_WAITING = 256;
const ROWS_A_WRITE = 8;
/** Maximum bytes of records in the store: of one account, and of all accounts together. */
const MAX_OF_ACCOUNT_BYTES = 256 * 1024 * 1024;
const MAX_KEPT_BYTES = 2 * 1024 * 1024 * 1024;
/**
 * The part of an account's limit after whose writing its records are summed again. A sum reads all
 * records of the account.
 */
const SUMMED_PART = 64;
/** Maximum records that one statement sums: about 3 ms of the store's time. */
const STEP_ROWS = 500;
const DELETED_AT_ONCE = 50;
const HOUR_MS = 3_600_000;

export type PromptKeys = {
  /** @throws GatewayError `secrets_key_missing`. */
  readonly firstKey: () => SecretKey;
  readonly keyOf: (id: string) => SecretKey | null;
};

export type PromptLogDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'after' | 'every' | 'randomBytes'>;
  readonly keys: PromptKeys;
  /** Whether prompts are logged for this account or for this key. */
  readonly isOn: (asker: Asker) => boolean;
  /** How long records are stored, in milliseconds. */
  readonly keptMs: () => number;
  readonly onFailure: (thrown: unknown) => void;
  readonly limits?: {
    readonly ofAccountBytes: number;
    readonly keptBytes: number;
    readonly stepRows?: number;
  };
};

/** A prompt as the caller sent it, with the answer as the caller received it. */
export type PromptRecord = {
  readonly requestId: string;
  readonly accountId: string;
  readonly atMs: number;
  readonly prompt: string;
  readonly answer: string;
  readonly isCut: boolean;
};

type Whose = Pick<PromptRecord, 'requestId' | 'accountId'>;
/** The account and the API key of a request. */
export type Asker = { readonly accountId: string; readonly keyId: string };

export class PromptLog {
  readonly #deps: PromptLogDeps;
  readonly #rows: BatchedRows<PromptRecord>;
  readonly #hourly: Timer;
  /** For each account, the bytes that were written since its records were last summed. */
  readonly #written = new Map<string, number>();
  #open = 0;
  #isPruned = false;

  constructor(deps: PromptLogDeps) {
    this.#deps = deps;
    this.#rows = new BatchedRows({
      clock: deps.clock,
      maxWaiting: MAX_WAITING,
      rowsAWrite: ROWS_A_WRITE,
      write: (records) => this.#write(records),
      onWritten: () => this.#prune(),
      onFailure: deps.onFailure,
    });
    this.#hourly = deps.clock.every(HOUR_MS, () => {
      this.#isPruned = false;
      this.#rows.flushSoon();
    });
  }

  /** Whether prompts of this key are logged. Called for every request. */
  isOn(asker: Asker): boolean {
    return this.#deps.isOn(asker);
  }

  /**
   * Returns an answer with the same content as `response`. The gateway copies the answer while the
   * caller reads it, and at the end stores the copy with the prompt.
   * @param prompt the request body, or its start if the body is too long to store. The start must
   *   exceed MAX_PROMPT_BYTES, so that the record is marked as cut.
   */
  watched(requestId: string, asker: Asker, prompt: Uint8Array, response: Response): Response {
    if (this.#open >= MAX_OPEN) return response;
    const { accountId } = asker;
    this.#open += 1;
    const asked = prompt.subarray(0, MAX_PROMPT_BYTES);
    const isPromptCut = asked.byteLength < prompt.byteLength;
    return tappedAnswer(response, MAX_ANSWER_BYTES, ({ bytes, isCut }) => {
      this.#open -= 1;
      // Logging was turned off while the answer was being sent, so the record is dropped.
      if (!this.isOn(asker)) return;
      this.#rows.add({
        ...{ requestId, accountId, atMs: this.#deps.clock.nowMs() },
        ...{ prompt: textOf(asked), answer: textOf(bytes), isCut: isPromptCut || isCut },
      });
    });
  }

  /**
   * Returns the record of a request; null if it has no record.
   * @param accountId the account that owns the record; null for any account.
   * @throws GatewayError `secrets_key_missing` when this node has no key that decrypts it.
   */
  async one(requestId: string, accountId: string | null): Promise<PromptRecord | null> {
    await this.#rows.flush();
    const [row] = await this.#deps.sql.query(statement`SELECT * FROM prompt_record
      WHERE request_id = ${requestId}`);
    if (row === undefined || (accountId !== null && text(row, 'account_id') !== accountId))
      return null;
    return this.#opened(row);
  }

  /**
   * Deletes the records of an account, with an entry in the audit log. Returns the number of
   * deleted records.
   * @param requestId the request whose record is deleted; null for all records of the account.
   */
  async delete(accountId: string, requestId: string | null, actor: string): Promise<number> {
    await this.#rows.flush();
    const { sql, clock } = this.#deps;
    const subject = requestId ?? accountId;
    const audit = auditEntry(clock, actor, 'prompt_log.delete', subject, { account_id: accountId });
    const one = requestId === null ? statement`` : statement`AND request_id = ${requestId}`;
    const of = statement`account_id = ${accountId} ${one}`;
    const [{ length } = []] = await sql.transaction([deletionOf(of)], audit);
    return length < DELETED_AT_ONCE ? length : length + (await this.#remove(of));
  }

  /** Records in the audit log that an administrator reads this prompt. */
  async noteRead({ requestId, accountId }: Whose, actor: string): Promise<void> {
    const { sql, clock } = this.#deps;
    const detail = { account_id: accountId };
    const audit = auditEntry(clock, actor, 'prompt_log.read', requestId, detail);
    await sql.transaction([statement`SELECT 1 AS one`], audit);
  }

  /** Writes the waiting records. Never rejects. */
  flush(): Promise<void> {
    return this.#rows.flush();
  }

  async close(): Promise<void> {
    this.#hourly.cancel();
    await this.#rows.close();
  }

  async #write(records: readonly PromptRecord[]): Promise<void> {
    const key = this.#deps.keys.firstKey();
    const rows = records.map((record) => ({ record, sealed: this.#sealed(key, record) }));
    await this.#deps.sql.query({
      sql: `INSERT INTO prompt_record
          (request_id, account_id, at_ms, seal_key_id, sealed, bytes)
        VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}
        ON CONFLICT (request_id) DO NOTHING`,
      params: rows.flatMap(({ record: { requestId, accountId, atMs }, sealed }) => [
        ...[requestId, accountId, atMs, key.id, sealed, sealed.byteLength],
      ]),
    });
    for (const { record, sealed } of rows) {
      const { accountId } = record;
      this.#written.set(accountId, (this.#written.get(accountId) ?? 0) + sealed.byteLength);
    }
  }

  #sealed(key: SecretKey, { prompt, answer, isCut, ...whose }: PromptRecord): Uint8Array {
    const nonce = this.#deps.clock.randomBytes(NONCE_BYTES);
    const plain = Buffer.from(JSON.stringify({ prompt, answer, isCut }));
    return sealBytes(key.bytes, boundTo(whose, key.id), nonce, plain);
  }

  #opened(row: SqlRow): PromptRecord {
    const whose = { requestId: text(row, 'request_id'), accountId: text(row, 'account_id') };
    const keyId = text(row, 'seal_key_id');
    const key = this.#deps.keys.keyOf(keyId);
    const { sealed } = row;
    if (key === null || !(sealed instanceof Uint8Array)) throw unreadable();
    try {
      const plain = openBytes(key.bytes, boundTo(whose, keyId), sealed);
      const { prompt, answer, isCut } = Object(JSON.parse(textOf(plain)));
      return {
        ...whose,
        atMs: Number(integer(row, 'at_ms')),
        ...{ prompt: String(prompt), answer: String(answer), isCut: isCut === true },
      };
    } catch (thrown) {
      throw unreadable(thrown);
    }
  }

  /**
   * Deletes outdated records, and the oldest records beyond the limits, once an hour. If much of an
   * account was written, deletes its records beyond the limit at once.
   */
  async #prune(): Promise<void> {
    const { clock, keptMs, limits } = this.#deps;
    const ofAccountBytes = limits?.ofAccountBytes ?? MAX_OF_ACCOUNT_BYTES;
    const isDue = !this.#isPruned;
    for (const [accountId, written] of this.#written) {
      if (!isDue && written < ofAccountBytes / SUMMED_PART) continue;
      this.#written.delete(accountId);
      await this.#trim(statement`account_id = ${accountId}`, ofAccountBytes);
    }
    if (!isDue) return;
    this.#isPruned = true;
    await this.#remove(statement`at_ms < ${clock.nowMs() - keptMs()}`);
    await this.#trim(statement`1 = 1`, limits?.keptBytes ?? MAX_KEPT_BYTES);
  }

  /** Deletes the oldest records until the rest has at most `maxBytes` in total. */
  async #trim(of: SqlStatement, maxBytes: number): Promise<void> {
    let left = BigInt(maxBytes);
    let place = NEWEST;
    for (;;) {
      const step = stepOf(of, place, left, this.#deps.limits?.stepRows ?? STEP_ROWS);
      const [row] = await this.#deps.sql.query(step);
      if (row === undefined) return;
      place = { atMs: integer(row, 'at_ms'), requestId: text(row, 'request_id') };
      if (integer(row, 'total') > left) break;
      left -= integer(row, 'total');
    }
    const { atMs, requestId } = place;
    await this.#remove(statement`${of} AND (at_ms, request_id) <= (${atMs}, ${requestId})`);
  }

  /** Deletes records with short statements. Returns the number of deleted records. */
  async #remove(where: SqlStatement): Promise<number> {
    let deleted = 0;
    for (;;) {
      const rows = await this.#deps.sql.query(deletionOf(where));
      deleted += rows.length;
      if (rows.length < DELETED_AT_ONCE) return deleted;
    }
  }
}

/** Returns a statement that deletes at most `DELETED_AT_ONCE` records. */
const deletionOf = (where: SqlStatement): SqlStatement => statement`DELETE FROM prompt_record
  WHERE request_id IN (SELECT request_id FROM prompt_record WHERE ${where}
    LIMIT ${DELETED_AT_ONCE}) RETURNING bytes`;

/** A position in the order of the records by time. */
type Place = { readonly atMs: bigint; readonly requestId: string };
const NEWEST: Place = { atMs: 2n ** 62n, requestId: '' };

/**
 * Returns a statement that sums the next records before `place`, newest first, at most `rows`. It
 * selects the first record with which the sum exceeds `maxBytes`, or else the last of `rows`.
 */
const stepOf = (
  of: SqlStatement,
  { atMs, requestId }: Place,
  maxBytes: bigint,
  rows: number,
): SqlStatement => statement`SELECT at_ms, request_id, total FROM (
    SELECT at_ms, request_id,
      CAST(SUM(bytes) OVER (ORDER BY at_ms DESC, request_id DESC) AS BIGINT) AS total,
      ROW_NUMBER() OVER (ORDER BY at_ms DESC, request_id DESC) AS number
    FROM (SELECT at_ms, request_id, bytes FROM prompt_record
      WHERE ${of} AND (at_ms, request_id) < (${atMs}, ${requestId})
      ORDER BY at_ms DESC, request_id DESC LIMIT ${rows}) AS step
  ) AS sums WHERE total > ${maxBytes} OR number = ${rows}
  ORDER BY at_ms DESC, request_id DESC LIMIT 1`;

/**
 * Returns the text to which the ciphertext is bound: the account, the request and the id of the
 * encryption key. A row that is copied to another account or request cannot be decrypted.
 */
const boundTo = ({ requestId, accountId }: Whose, keyId: string): string =>
  `modelgate prompt\n${accountId}\n${requestId}\n${keyId}`;

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const unreadable = (cause?: unknown): GatewayError =>
  new GatewayError(
    'secrets_key_missing',
    'No key of this node can decrypt this prompt. Give the node the key with which the prompt was encrypted.',
    { cause },
  );
