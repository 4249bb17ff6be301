/**
 * The revisions of the settings in the database. Each is a complete document that never changes. A
 * new revision names its base revision, so only one of two simultaneous changes is stored.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { type Document, readDocument, type StoredDocument } from '../config/document/document.ts';
import { sharedRecordSteps } from '../config/document/shared-records.ts';
import { inSlices } from '../config/document/steps.ts';
import { type AuditDetail, auditEntry } from '../store/audit.ts';
import { integer, numberOrNull, text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import type { Difference } from './difference.ts';

/** The origin of a revision: the first node's file, or a kind of change. */
export const ORIGINS = ['file', 'change', 'import', 'restore'] as const;
export type Origin = (typeof ORIGINS)[number];
/** Maximum changed paths that are stored with a revision, to be shown in the list of revisions. */
const MAX_KEPT_PATHS = 5;

export type RevisionHead = {
  readonly revision: number;
  readonly atMs: number;
  /** The author: `system`, `admin` or a person's id. `actorName` is the person's name. */
  readonly actor: string;
  readonly actorName: string | null;
  readonly note: string;
  readonly origin: Origin;
  /** The revision that was restored; null for any other origin. */
  readonly restored: number | null;
  /** The number of settings that the revision changed; null where it was not counted. */
  readonly changes: number | null;
  readonly paths: readonly string[];
  /** The SHA-256 of the document's text, in hexadecimal. */
  readonly checksum: string;
};
export type Revision = RevisionHead & StoredDocument;

export type NewRevision = {
  /** The revision on which the document is based; 0 for the first. */
  readonly base: number;
  readonly document: Document;
  /** The document as text, made by `documentText`. */
  readonly text: string;
  readonly actor: string;
  readonly note: string;
  readonly origin: Origin;
  readonly restored?: number | null;
  /** The differences from the base; null for the first revision. */
  readonly changes: readonly Pick<Difference, 'path'>[] | null;
  readonly detail: AuditDetail;
};

/** A live node, and the revision that it uses. */
export type NodeRevision = {
  readonly node: string;
  /** The revision; null if the node reads all settings from its file. */
  readonly revision: number | null;
  /** The reason why the node does not use a newer revision; null if it uses the newest. */
  readonly failure: string | null;
};

/** Maximum characters of the stored reason why a node does not use the newest revision. */
const MAX_FAILURE_CHARACTERS = 2000;

/** Returns the text to store for a document. It keeps the order of the document's keys. */
export const documentText = (document: Document): string => JSON.stringify(document);

export const checksumOf = (stored: string): string =>
  createHash('sha256').update(stored).digest('hex');

const HEAD = raw(`r.revision, r.at_ms, r.actor, r.note, r.origin, r.restored, r.changes, r.paths,
  r.checksum, p.name AS actor_name`);
const FROM = raw('config_revision r LEFT JOIN person p ON p.id = r.actor');

type RevisionsClock = Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>;

export class ConfigRevisions {
  readonly #sql: SqlExecutor;
  readonly #clock: RevisionsClock;
  /**
   * The document that was last read or stored, cached because parsing a large document takes time.
   */
  #last: { readonly checksum: string; readonly document: Document } | null = null;

  constructor(sql: SqlExecutor, clock: RevisionsClock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Returns the number of the newest revision; 0 before the first. */
  async newestNumber(): Promise<number> {
    return (await this.newestMark())?.revision ?? 0;
  }

  /** Returns the number and the checksum of the newest revision; null before the first. */
  async newestMark(): Promise<Pick<RevisionHead, 'revision' | 'checksum'> | null> {
    const [row] = await this.#sql.query(
      statement`SELECT revision, checksum FROM config_revision ORDER BY revision DESC LIMIT 1`,
    );
    if (row === undefined) return null;
    return { revision: Number(integer(row, 'revision')), checksum: text(row, 'checksum') };
  }

  async newest(): Promise<Revision | null> {
    const last = this.#last;
    // The store does not send a document whose checksum is that of the cached one.
    const [row] = await this.#sql.query(statement`SELECT ${HEAD},
        CASE WHEN r.checksum = ${last?.checksum ?? ''} THEN NULL ELSE r.document END AS document
      FROM ${FROM} ORDER BY r.revision DESC LIMIT 1`);
    if (row === undefined) return null;
    const head = headOf(row);
    const about = { ...head, name: nameOf(head) };
    if (last?.checksum === head.checksum) return { ...about, document: last.document };
    const read = documentOf(row);
    const document =
      last === null ? read : await inSlices(sharedRecordSteps(last.document, read), this.#clock);
    this.#last = { checksum: head.checksum, document };
    return { ...about, document };
  }

  /** Returns the revision with this number; null if it does not exist. */
  async at(revision: number): Promise<Revision | null> {
    const [row] = await this.#sql.query(statement`SELECT ${HEAD}, r.document FROM ${FROM}
      WHERE r.revision = ${BigInt(revision)}`);
    return row === undefined ? null : revisionOf(row);
  }

  /**
   * Returns the revision that was the newest at `atMs`, and all later ones, oldest first, at most
   * `limit`.
   */
  async since(atMs: number, limit: number): Promise<readonly Revision[]> {
    const rows = await this.#sql.query(statement`SELECT ${HEAD}, r.document FROM ${FROM}
      WHERE r.revision >= COALESCE(
        (SELECT MAX(revision) FROM config_revision WHERE at_ms < ${BigInt(atMs)}), 1)
      ORDER BY r.revision LIMIT ${limit}`);
    return rows.map(revisionOf);
  }

  /** Returns the revisions before `before`, newest first, without their documents. */
  async list(limit: number, before: number | null): Promise<readonly RevisionHead[]> {
    const end = before === null ? raw('') : statement`WHERE r.revision < ${BigInt(before)}`;
    const rows = await this.#sql.query(
      statement`SELECT ${HEAD} FROM ${FROM} ${end} ORDER BY r.revision DESC LIMIT ${limit}`,
    );
    return rows.map(headOf);
  }

  /**
   * Stores a revision with its audit entry, and returns its number. Returns null and stores nothing
   * if the base is no longer the newest revision.
   */
  async add({ base, document, text: stored, actor, note, detail, ...from }: NewRevision) {
    const revision = base + 1;
    const { origin, restored = null, changes } = from;
    const paths = (changes ?? []).slice(0, MAX_KEPT_PATHS).map(({ path }) => path);
    const checksum = checksumOf(stored);
    const entry = auditEntry(this.#clock, actor, 'config.change', `revision ${revision}`, detail);
    const [rows = []] = await this.#sql.transaction(
      [
        statement`INSERT INTO config_revision (revision, at_ms, actor, note, document, checksum,
            origin, restored, changes, paths)
          SELECT ${BigInt(revision)}, ${BigInt(entry.atMs)}, ${actor}, ${note}, ${stored},
            ${checksum}, ${origin}, ${restored}, ${changes?.length ?? null},
            ${JSON.stringify(paths)}
          WHERE (SELECT COALESCE(MAX(revision), 0) FROM config_revision) = ${BigInt(base)}
          RETURNING revision`,
      ],
      entry,
    );
    if (rows.length === 0) return null;
    this.#last = { checksum, document };
    return revision;
  }

  /**
   * Returns the live nodes, sorted by name.
   * @param epoch the epoch of this node, which is the id of its lease. The lease of a live node
   *   ends at most `leaseMs` before the lease of this node.
   */
  async nodes(epoch: string, leaseMs: number): Promise<readonly NodeRevision[]> {
    const rows = await this.#sql.query(statement`SELECT name, config_revision, config_failure
      FROM node WHERE lease_until_ms > (SELECT lease_until_ms FROM node WHERE epoch = ${epoch})
        - ${leaseMs} ORDER BY name`);
    return rows.map((row) => ({
      node: text(row, 'name'),
      revision: numberOrNull(row, 'config_revision'),
      failure: textOrNull(row, 'config_failure'),
    }));
  }

  /** Stores why this node does not use the newest revision. `failure` is null if it does use it. */
  async reportFailure(epoch: string, failure: string | null): Promise<void> {
    const reason = failure === null ? null : failure.slice(0, MAX_FAILURE_CHARACTERS);
    await this.#sql.query(
      statement`UPDATE node SET config_failure = ${reason} WHERE epoch = ${epoch}`,
    );
  }
}

function headOf(row: SqlRow): RevisionHead {
  return {
    revision: Number(integer(row, 'revision')),
    atMs: Number(integer(row, 'at_ms')),
    actor: text(row, 'actor'),
    actorName: textOrNull(row, 'actor_name'),
    note: text(row, 'note'),
    origin: ORIGINS.find((each) => each === row['origin']) ?? 'change',
    restored: numberOrNull(row, 'restored'),
    changes: numberOrNull(row, 'changes'),
    paths: pathsOf(text(row, 'paths')),
    checksum: text(row, 'checksum'),
  };
}

const PATHS = z.array(z.string());
const pathsOf = (stored: string): readonly string[] => PATHS.parse(JSON.parse(stored));

function revisionOf(row: SqlRow): Revision {
  const head = headOf(row);
  return { ...head, name: nameOf(head), document: documentOf(row) };
}

const nameOf = ({ revision }: RevisionHead): string => `revision ${revision}`;
const documentOf = (row: SqlRow): Document => readDocument(text(row, 'document'));
