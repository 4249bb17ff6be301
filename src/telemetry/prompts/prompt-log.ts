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
  readonly limits?: { readonly ofAccountBytes: number; readonly keptBytes: number };
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
  /** Accounts with records that were written since the last pruning. */
  readonly #written = new Set<string>();
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
    const [deleted = []] = await sql.transaction(
      [statement`DELETE FROM prompt_record WHERE account_id = ${accountId} ${one} RETURNING bytes`],
      audit,
    );
    return deleted.length;
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
    for (const { accountId } of records) this.#written.add(accountId);
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
   * Deletes outdated records. If an account or the store then still exceeds its limit, deletes its
   * oldest records.
   */
  async #prune(): Promise<void> {
    const { clock, keptMs, limits } = this.#deps;
    for (const accountId of this.#written) {
      const of = statement`account_id = ${accountId}`;
      await this.#trim(of, limits?.ofAccountBytes ?? MAX_OF_ACCOUNT_BYTES);
    }
    this.#written.clear();
    if (this.#isPruned) return;
    this.#isPruned = true;
    await this.#remove(statement`at_ms < ${clock.nowMs() - keptMs()}`);
    await this.#trim(statement`1 = 1`, limits?.keptBytes ?? MAX_KEPT_BYTES);
  }

  /** Deletes the oldest records until the rest has at most `maxBytes` in total. */
  async #trim(of: SqlStatement, maxBytes: number): Promise<void> {
    const [cut] = await this.#deps.sql.query(statement`SELECT at_ms, request_id FROM
      (SELECT at_ms, request_id, SUM(bytes) OVER (ORDER BY at_ms DESC, request_id DESC) AS total
        FROM prompt_record WHERE ${of}) AS sums
      WHERE total > ${maxBytes} ORDER BY at_ms DESC, request_id DESC LIMIT 1`);
    if (cut === undefined) return;
    const place = [integer(cut, 'at_ms'), text(cut, 'request_id')] as const;
    await this.#remove(statement`${of} AND (at_ms, request_id) <= (${place[0]}, ${place[1]})`);
  }

  async #remove(where: SqlStatement): Promise<void> {
    let deleted = DELETED_AT_ONCE;
    while (deleted === DELETED_AT_ONCE) {
      const rows = await this.#deps.sql.query(statement`DELETE FROM prompt_record
        WHERE request_id IN (SELECT request_id FROM prompt_record WHERE ${where}
          LIMIT ${DELETED_AT_ONCE}) RETURNING bytes`);
      deleted = rows.length;
    }
  }
}

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
