/** The interface of a destination for backups: a folder of this machine, or a bucket. */
import { type BackupName, parseName } from './backup-name.ts';
import type { Chunks } from './part-reader.ts';

/**
 * A finished backup, ready to be stored. If `sealed` is null, the destination stores `file`, and
 * may move this file. Otherwise, it stores the bytes of `sealed`.
 */
export type Finished = {
  readonly file: string;
  /** The encrypted content of the file; null to store the file without encryption. */
  readonly sealed: Chunks | null;
  /** The size in bytes, which is approximate for an encrypted backup. */
  readonly bytes: number;
};

export interface BackupPlace {
  readonly kind: 'folder' | 's3';
  /** The path of the folder, or `s3://bucket/prefix`. */
  readonly address: string;
  /**
   * Stores a backup completely or not at all. Returns its address and its size.
   * @throws GatewayError that explains what the operator can do
   */
  put(name: string, finished: Finished): Promise<StoredAt>;
  /**
   * Lists the names and sizes of all files whose names begin with `NAME_START`.
   * @throws GatewayError
   */
  list(): Promise<readonly Listed[]>;
  read(name: string): Chunks;
  delete(name: string): Promise<void>;
}

export type StoredAt = { readonly address: string; readonly bytes: number };
export type Listed = { readonly name: string; readonly bytes: number };

export type StoredBackup = BackupName & Listed & { readonly address: string };

/** The result of making a backup. */
export type Backup = {
  /** The backup's path or address. `modelgate restore` accepts both. */
  readonly file: string;
  readonly bytes: number;
  /**
   * The time at which the copy began. The backup contains all data that the store had committed
   * before this time.
   */
  readonly takenAtMs: number;
  /** The number of rows in the backup (as in the store) that violate an invariant of the ledger. */
  readonly breaches: number;
  readonly isEncrypted: boolean;
};

/** Lists the backups of a destination, newest first. */
export async function backupsIn(place: BackupPlace): Promise<readonly StoredBackup[]> {
  const listed = await place.list();
  return listed
    .flatMap(({ name, bytes }) => {
      const parsed = parseName(name);
      return parsed === null
        ? []
        : [{ ...parsed, name, bytes, address: `${place.address}/${name}` }];
    })
    .toSorted((a, b) => b.takenAtMs - a.takenAtMs);
}
