/** Checks of `doctor` on the data folder: owner, mode, file system, free space, flush time. */
import { type Finding, fail, ok, warn } from './finding.ts';

export type FolderFacts = {
  readonly path: string;
  /** `path` itself, or its nearest existing parent. It may be a file: see `isFolder`. */
  readonly existing: string;
  readonly isFolder: boolean;
  /** A symbolic link in `path` whose target does not exist, or null. */
  readonly brokenLink: string | null;
  readonly ownerId: number;
  /** The user id of this process; null on systems without user ids. */
  readonly userId: number | null;
  /** The permission bits. */
  readonly mode: number;
  /** The error code if a write was refused, such as `EROFS`; null if a write is possible. */
  readonly refusal: string | null;
  /** The file system's magic number, from statfs(2). */
  readonly fileSystem: number;
  readonly freeBytes: number;
  /** The free inodes; null if the file system does not count them. */
  readonly freeFiles: number | null;
};

const CHECK = 'data folder';

/** Network file systems by the magic number of statfs(2). File locks are not reliable on them. */
const NETWORK: Readonly<Record<number, string>> = {
  [0x6969]: 'NFS',
  [0xff534d42]: 'CIFS',
  [0xfe534d42]: 'SMB',
  [0x517b]: 'SMB',
  [0x00c36400]: 'Ceph',
  [0x5346414f]: 'AFS',
  [0x01161970]: 'GFS2',
  [0x7461636f]: 'OCFS2',
  [0x0bd00bd0]: 'Lustre',
  [0x01021997]: '9p',
};
const IN_MEMORY = new Set([0x01021994, 0x858458f6]);
const OVERLAY = 0x794c7630;
const FUSE = 0x65735546;

const MIB = 1024 ** 2;
const FULL_BYTES = 128 * MIB;
const LOW_BYTES = 1024 * MIB;
const LOW_FILES = 1_000;
const SHARED_WRITE_BITS = 0o022;

export function folderFindings(facts: FolderFacts): readonly Finding[] {
  const { path, existing, isFolder, brokenLink } = facts;
  if (!isFolder) {
    const remedy = 'Move the file away, or set MODELGATE_DATA_DIR to a folder.';
    return [fail(CHECK, { found: `${existing} is a file.`, remedy })];
  }
  if (brokenLink !== null) {
    const found = `${brokenLink} is a symbolic link to a folder that does not exist.`;
    const remedy = 'Mount or create that folder, or set MODELGATE_DATA_DIR to another folder.';
    return [fail(CHECK, { found, remedy })];
  }
  const access = accessFinding(facts);
  if (access !== null) return [access];
  const found =
    path === existing ? path : `${path} does not exist yet; the first start creates it.`;
  return [ok(CHECK, found)];
}

function accessFinding({
  path,
  existing,
  ownerId,
  userId,
  mode,
  refusal,
}: FolderFacts): Finding | null {
  if (refusal === 'EROFS')
    return fail(CHECK, {
      found: `${existing} is on a read-only file system.`,
      remedy: 'Remount it read-write, or set MODELGATE_DATA_DIR to a folder on a writable volume.',
    });
  if (refusal !== null)
    return fail(CHECK, {
      found: `This user${userId === null ? '' : ` (${userId})`} cannot write in ${existing} (${refusal}).`,
      remedy: `Run this command as the gateway's user, or make that user the owner of the folder: \`${
        path === existing ? 'chown -R USER' : 'install -d -m 700 -o USER'
      } ${path}\`.`,
    });
  if (path !== existing) return null;
  if (userId !== null && ownerId !== userId)
    return warn(CHECK, {
      found: `${path} belongs to user ${ownerId}, and this is user ${userId}: files that one of them creates may be unreadable for the other.`,
      remedy: `Run this command and the gateway as user ${ownerId}, or \`chown -R\` the folder.`,
    });
  if ((mode & SHARED_WRITE_BITS) !== 0)
    return warn(CHECK, {
      found: `Other users can write in ${path} (mode ${mode.toString(8)}), so they can replace its files.`,
      remedy: `\`chmod 700 ${path}\`.`,
    });
  return null;
}

/**
 * Checks the file system.
 * @param isLedgerThere whether the ledger is in the folder, as with SQLite.
 */
export function fileSystemFindings(
  { path, fileSystem }: FolderFacts,
  isLedgerThere: boolean,
): readonly Finding[] {
  const check = 'file system';
  const network = NETWORK[fileSystem];
  if (network !== undefined) {
    const found = `${path} is on ${network}, whose locks do not keep a second gateway out of the folder.`;
    const remedy = 'Use a folder on a local disk; for several machines, use PostgreSQL.';
    return [(isLedgerThere ? fail : warn)(check, { found, remedy })];
  }
  if (IN_MEMORY.has(fileSystem)) {
    const found = `${path} is in memory: a restart of the machine loses ${isLedgerThere ? 'the ledger' : 'charges that wait for the database'}.`;
    return [(isLedgerThere ? fail : warn)(check, { found, remedy: 'Use a folder on a disk.' })];
  }
  if (fileSystem === OVERLAY) {
    const found = `${path} is in the writable layer of a container, which is deleted with the container.`;
    return [warn(check, { found, remedy: 'Mount a volume at this path.' })];
  }
  if (fileSystem === FUSE) {
    const found = `${path} is on FUSE: whether locks and flushes are reliable depends on the driver.`;
    return [
      warn(check, { found, remedy: 'Use a folder on a local disk, if this is a network mount.' }),
    ];
  }
  return [ok(check, 'a local disk')];
}

export function spaceFindings({ path, freeBytes, freeFiles }: FolderFacts): readonly Finding[] {
  const check = 'disk space';
  const found = `${Math.floor(freeBytes / MIB)} MiB are free on the file system of ${path}.`;
  const remedy =
    'Free some space, or move the folder to a larger disk while the gateway is stopped.';
  if (freeBytes < FULL_BYTES) return [fail(check, { found, remedy })];
  if (freeFiles !== null && freeFiles < LOW_FILES)
    return [
      fail(check, {
        found: `Only ${freeFiles} more files can be created on the file system of ${path}.`,
        remedy,
      }),
    ];
  if (freeBytes < LOW_BYTES) return [warn(check, { found, remedy })];
  return [ok(check, found)];
}

export type FlushTimes = { readonly medianMs: number; readonly longestMs: number };
/** Above this time, the check warns that flushes are slow. Each charge waits for a flush. */
const SLOW_FLUSH_MS = 20;

/**
 * Checks the speed of the disk.
 * @param measured the flush times, or the error code if a write failed.
 */
export function flushFindings(measured: FlushTimes | string): readonly Finding[] {
  const check = 'flush to disk';
  if (typeof measured === 'string') {
    const found = `A file of 4 KB could not be written and flushed (${measured}).`;
    const remedy =
      measured === 'ENOSPC' || measured === 'EDQUOT'
        ? 'The disk or a quota is full: free some space.'
        : 'Look for disk errors in the system log, and replace a failing disk.';
    return [fail(check, { found, remedy })];
  }
  const found = `${measured.medianMs.toFixed(1)} ms (median), ${measured.longestMs.toFixed(1)} ms (longest)`;
  if (measured.medianMs <= SLOW_FLUSH_MS) return [ok(check, found)];
  const remedy =
    'Every charge waits for a flush. Use a local SSD, not a disk that throttles small writes.';
  return [warn(check, { found, remedy })];
}
