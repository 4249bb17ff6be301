/**
 * Names of backups, such as `modelgate-1a2b3c4d-20261123T180000000Z.db.enc`. A name contains the
 * installation, the time and the database engine. It also says whether the backup is encrypted and
 * whether its ledger is valid. Therefore, listing backups needs to read no file.
 */
import type { Store } from '../store/store.ts';

const ENDINGS = { sqlite: 'db', postgres: 'pgcopy' } as const;
const SEALED = '.enc';
const UNSOUND = '-unsound';
const NAME =
  /^modelgate-(?<origin>[0-9a-f]{8})-(?<date>\d{8})T(?<time>\d{9})Z(?<unsound>-unsound)?\.(?<ending>db|pgcopy)(?<sealed>\.enc)?$/;

export const NAME_START = 'modelgate-';
export const ORIGIN_DIGITS = 8;

export type BackupName = {
  /** Identifies the installation: the first digits of the hash of its first audit entry. */
  readonly origin: string;
  readonly takenAtMs: number;
  readonly engine: Store['engine'];
  readonly isSealed: boolean;
  readonly isSound: boolean;
};

export function nameOf({ origin, takenAtMs, engine, isSealed, isSound }: BackupName): string {
  const time = new Date(takenAtMs).toISOString().replaceAll(/[-:.]/g, '');
  const unsound = isSound ? '' : UNSOUND;
  return `${NAME_START}${origin}-${time}${unsound}.${ENDINGS[engine]}${isSealed ? SEALED : ''}`;
}

/** Parses the name of a backup. Returns null for a file that is not a backup. */
export function parseName(name: string): BackupName | null {
  const found = NAME.exec(name)?.groups;
  if (found === undefined) return null;
  const { origin = '', date = '', time = '', unsound, ending, sealed } = found;
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)(...)/, '$1:$2:$3.$4')}Z`;
  const takenAtMs = Date.parse(iso);
  if (Number.isNaN(takenAtMs)) return null;
  return {
    origin,
    takenAtMs,
    engine: ending === ENDINGS.postgres ? 'postgres' : 'sqlite',
    isSealed: sealed !== undefined,
    isSound: unsound === undefined,
  };
}
