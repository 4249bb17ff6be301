/**
 * Stores email until the mail server has accepted it, so that a restart loses none. To queue a
 * letter exactly when an event is written, a caller adds the statement that `draw` returns to the
 * transaction of the event. Letters are encrypted. The text of a letter is deleted when it is sent,
 * or a week after it failed. Its row stays in the delivery log.
 */
import { createHash } from 'node:crypto';
import { type Page, type PageRequest, pageOf } from '../accounts/page.ts';
import { type Clock, newId } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { auditEntry } from '../store/audit.ts';
import { integer, numberOrNull, text, textOrNull } from '../store/row.ts';
import { NONCE_BYTES, openBytes, sealBytes } from '../store/sealed-bytes.ts';
import {
  andEquals,
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../store/sql.ts';
import type { Letter, LetterText } from './letter.ts';

/** Maximum queued letters, so that they do not fill the disk if the mail server is down. */
export const MAX_QUEUED = 10_000;
/** Maximum rows that one statement deletes. */
const FORGET_ROWS = 500;
/** How long a failed letter can be sent again. Most links in letters have expired by then. */
export const RESEND_FOR_MS = 7 * 24 * 60 * 60 * 1000;
/** Maximum characters of a mail server's answer that are stored. */
const MAX_ANSWER_CHARS = 300;

export const MAIL_STATES = ['queued', 'sent', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** A row of the delivery log. */
export type MailRecord = {
  readonly id: string;
  readonly kind: string;
  readonly accountId: string | null;
  readonly to: string;
  readonly subject: string;
  readonly state: MailState;
  readonly attempts: number;
  /** The last answer of the mail server; empty before the first attempt. */
  readonly answer: string;
  readonly nextAtMs: number;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  /** Whether sending failed and the text is still stored. */
  readonly isResendable: boolean;
};

export type TakenMail = {
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  /** The decrypted letter; null if another console key encrypted it. */
  readonly letter: LetterText | null;
  /** The number of attempts, including the current one. */
  readonly attempts: number;
  readonly createdAtMs: number;
};

export type MailFilter = {
  readonly state: MailState | null;
  /** The account whose letters to list; null for all accounts. */
  readonly accountId: string | null;
};

export type DrawOptions = {
  /**
   * A name that is unique to the event and the recipient. Only one letter is queued for each name.
   * If null, any number of letters is queued.
   */
  readonly event?: string | null;
  /** An SQL condition. The letter is queued only if the condition is true. */
  readonly onlyIf?: SqlStatement;
  /** The time when the letter is due; by default now. */
  readonly nextAtMs?: number;
};

export type MailCounts = {
  readonly queued: number;
  readonly oldestQueuedAtMs: number | null;
  /** How many letters of the last 24 hours were sent, and how many failed. */
  readonly sent: number;
  readonly failed: number;
};

/**
 * The queue of emails in the store, and the log of their delivery.
 * @throws GatewayError `store_unavailable` from every asynchronous method.
 */
export class MailOutbox {
  readonly #sql: SqlExecutor;
  readonly #clock: Pick<Clock, 'nowMs' | 'randomBytes'>;
  readonly #key: Uint8Array;
  readonly #keptMs: () => number;

  /**
   * @param secret the console key, which is the same on every node.
   * @param keptMs how long a letter's row stays in the delivery log.
   */
  constructor(
    sql: SqlExecutor,
    clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
    secret: Secret,
    keptMs: () => number,
  ) {
    this.#sql = sql;
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.#key = createHash('sha256').update(`mail\n${secret.reveal()}`, 'utf8').digest();
  }

  /** Returns a letter's id, and the statement that queues the letter unless the queue is full. */
  draw(letter: Letter, options: DrawOptions = {}): { id: string; insert: SqlStatement } {
    const { kind, accountId, to, ...rest } = letter;
    const id = newId(this.#clock, 'mail');
    const nowMs = this.#clock.nowMs();
    const nonce = this.#clock.randomBytes(NONCE_BYTES);
    const sealed = sealBytes(this.#key, id, nonce, Buffer.from(JSON.stringify(rest)));
    const onlyIf = options.onlyIf === undefined ? raw('') : statement`AND ${options.onlyIf}`;
    const insert = statement`INSERT INTO mail (id, event, kind, account_id, recipient, subject,
        sealed, next_at_ms, created_at_ms)
      SELECT ${id}, ${options.event ?? null}, ${kind}, ${accountId}, ${to}, ${rest.subject},
        ${sealed}, ${options.nextAtMs ?? nowMs}, ${nowMs}
      WHERE (SELECT COUNT(*) FROM mail WHERE state = 'queued') < ${MAX_QUEUED} ${onlyIf}
      ON CONFLICT (event) DO NOTHING RETURNING id`;
    return { id, insert };
  }

  /**
   * Queues a letter.
   * @returns its id; null if `options.event` already has a letter, the queue is full, or
   * `options.onlyIf` is false.
   */
  async add(letter: Letter, options: DrawOptions = {}): Promise<string | null> {
    const { id, insert } = this.draw(letter, options);
    return (await this.#sql.query(insert)).length > 0 ? id : null;
  }

  /** Queues a test letter with an audit entry. @returns its id; null if the queue is full. */
  async addTest(letter: Letter, nextAtMs: number, actor: string): Promise<string | null> {
    const { id, insert } = this.draw(letter, { nextAtMs });
    const entry = auditEntry(this.#clock, actor, 'mail.test', id, { to: letter.to });
    const [added = []] = await this.#sql.transaction([insert], entry);
    return added.length > 0 ? id : null;
  }

  /**
   * Queues a failed letter again and writes an audit entry. Other nodes do not send the letter
   * before `nextAtMs`.
   * @returns false if the letter has not failed, or its text was deleted.
   */
  async resend({ id, to }: MailRecord, nextAtMs: number, actor: string): Promise<boolean> {
    const entry = auditEntry(this.#clock, actor, 'mail.resend', id, { to });
    const [queued = []] = await this.#sql.transaction(
      [
        statement`UPDATE mail SET state = 'queued', next_at_ms = ${nextAtMs}, ended_at_ms = NULL
          WHERE id = ${id} AND state = 'failed' AND sealed IS NOT NULL RETURNING id`,
      ],
      entry,
    );
    return queued.length > 0;
  }

  /** Reserves due letters until `untilMs`, so that no other node sends them before that. */
  async take(rows: number, untilMs: number): Promise<readonly TakenMail[]> {
    const nowMs = this.#clock.nowMs();
    const taken = await this.#sql.query(statement`UPDATE mail SET next_at_ms = ${untilMs},
      attempts = attempts + 1 WHERE state = 'queued' AND next_at_ms <= ${nowMs} AND id IN
      (SELECT id FROM mail WHERE state = 'queued' AND next_at_ms <= ${nowMs} ORDER BY next_at_ms
      LIMIT ${rows}) RETURNING ${raw(TAKEN)}`);
    return taken.map((row) => this.#taken(row));
  }

  /**
   * Reserves a letter until `untilMs`, even if it is not due. The letter is not due if the caller
   * has queued it with a later `nextAtMs`, in order to send it itself. Returns null if the letter
   * is no longer queued.
   */
  async takeOne(id: string, untilMs: number): Promise<TakenMail | null> {
    const [row] = await this.#sql.query(statement`UPDATE mail SET next_at_ms = ${untilMs},
      attempts = attempts + 1 WHERE id = ${id} AND state = 'queued' RETURNING ${raw(TAKEN)}`);
    return row === undefined ? null : this.#taken(row);
  }

  async end(id: string, state: 'sent' | 'failed', answer: string): Promise<void> {
    const text = raw(state === 'sent' ? 'sealed = NULL,' : '');
    await this.#sql.query(statement`UPDATE mail SET state = ${state}, ${text}
      answer = ${shortened(answer)}, ended_at_ms = ${this.#clock.nowMs()}
      WHERE id = ${id} AND state = 'queued' RETURNING id`);
  }

  async later(id: string, nextAtMs: number, answer: string): Promise<void> {
    await this.#sql.query(statement`UPDATE mail SET next_at_ms = ${nextAtMs},
      answer = ${shortened(answer)} WHERE id = ${id} AND state = 'queued' RETURNING id`);
  }

  /** Returns how many letters of a kind were queued for the account in the last 24 hours. */
  async countOf(kind: string, accountId: string): Promise<number> {
    const [row] = await this.#sql.query(statement`SELECT COUNT(*) AS n FROM mail
      WHERE account_id = ${accountId} AND kind = ${kind}
      AND created_at_ms > ${this.#clock.nowMs() - 24 * 60 * 60 * 1000}`);
    return Number(row?.['n'] ?? 0);
  }

  async get(id: string): Promise<MailRecord | null> {
    const [row] = await this.#sql.query(
      statement`SELECT ${raw(COLUMNS)} FROM mail WHERE id = ${id}`,
    );
    return row === undefined ? null : recordOf(row);
  }

  /** Lists the delivery log, newest first. */
  async list({ state, accountId }: MailFilter, page: PageRequest): Promise<Page<MailRecord>> {
    const isLater = page.after === null ? raw('') : statement`AND id < ${page.after}`;
    const rows = await this.#sql.query(statement`SELECT ${raw(COLUMNS)} FROM mail WHERE 1 = 1
      ${andEquals('state', state)} ${andEquals('account_id', accountId)} ${isLater}
      ORDER BY id DESC LIMIT ${page.limit + 1}`);
    return pageOf(rows.map(recordOf), page.limit);
  }

  async counts(): Promise<MailCounts> {
    const since = this.#clock.nowMs() - 24 * 60 * 60 * 1000;
    const [row = {}] = await this.#sql.query(statement`SELECT
      (SELECT COUNT(*) FROM mail WHERE state = 'queued') AS queued,
      (SELECT MIN(created_at_ms) FROM mail WHERE state = 'queued') AS oldest,
      (SELECT COUNT(*) FROM mail WHERE state = 'sent' AND created_at_ms >= ${since}) AS sent,
      (SELECT COUNT(*) FROM mail WHERE state = 'failed' AND created_at_ms >= ${since}) AS failed`);
    return {
      queued: Number(row['queued']),
      oldestQueuedAtMs: row['oldest'] === undefined ? null : numberOrNull(row, 'oldest'),
      sent: Number(row['sent']),
      failed: Number(row['failed']),
    };
  }

  /**
   * Deletes old emails from the log, and the contents of emails that failed so long ago that they
   * can no longer be sent again. Changes at most `FORGET_ROWS` of each.
   */
  async forget(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    await this.#sql.transaction([
      statement`DELETE FROM mail WHERE id IN (SELECT id FROM mail
        WHERE created_at_ms < ${nowMs - this.#keptMs()} ORDER BY id LIMIT ${FORGET_ROWS}) RETURNING id`,
      statement`UPDATE mail SET sealed = NULL WHERE id IN (SELECT id FROM mail
        WHERE state = 'failed' AND sealed IS NOT NULL AND ended_at_ms < ${nowMs - RESEND_FOR_MS}
        LIMIT ${FORGET_ROWS}) RETURNING id`,
    ]);
  }

  #taken(row: SqlRow): TakenMail {
    return {
      id: text(row, 'id'),
      kind: text(row, 'kind'),
      to: text(row, 'recipient'),
      letter: this.#opened(row),
      attempts: Number(integer(row, 'attempts')),
      createdAtMs: Number(integer(row, 'created_at_ms')),
    };
  }

  #opened(row: SqlRow): LetterText | null {
    const sealed = row['sealed'];
    if (!(sealed instanceof Uint8Array)) return null;
    try {
      return JSON.parse(Buffer.from(openBytes(this.#key, text(row, 'id'), sealed)).toString());
    } catch {
      // The letter was encrypted with another console key. The sender records this as a failure.
      return null;
    }
  }
}

const TAKEN = 'id, kind, recipient, sealed, attempts, created_at_ms';
const COLUMNS = `id, kind, account_id, recipient, subject, state, attempts, answer, next_at_ms,
  created_at_ms, ended_at_ms,
  CASE WHEN state = 'failed' AND sealed IS NOT NULL THEN 1 ELSE 0 END AS resendable`;

/** Returns the answer on one line, truncated to the maximum length. */
const shortened = (answer: string): string =>
  answer
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_ANSWER_CHARS);

const recordOf = (row: SqlRow): MailRecord => ({
  id: text(row, 'id'),
  kind: text(row, 'kind'),
  accountId: textOrNull(row, 'account_id'),
  to: text(row, 'recipient'),
  subject: text(row, 'subject'),
  state: MAIL_STATES.find((state) => state === row['state']) ?? 'queued',
  attempts: Number(integer(row, 'attempts')),
  answer: text(row, 'answer'),
  nextAtMs: Number(integer(row, 'next_at_ms')),
  createdAtMs: Number(integer(row, 'created_at_ms')),
  endedAtMs: numberOrNull(row, 'ended_at_ms'),
  isResendable: Number(row['resendable']) === 1,
});
