/**
 * Reads the state of this machine for `doctor`. Changes nothing, except that it writes a probe file
 * and removes it.
 */
import { access, constants, open, readFile, readlink, rm, stat, statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import type { Clock } from '../../clock.ts';
import { requireOutgoingRequests } from '../../config/runtime.ts';
import { reasonOf } from './finding.ts';
import type { FlushTimes, FolderFacts } from './folder-checks.ts';
import type { ProcessFacts } from './machine-checks.ts';

const PERMISSIONS = 0o777;
const PROBE_BYTES = 4096;
const MOST_FLUSHES = 30;
const FLUSHING_MS = 2_000;
const HTTPS_PORT = 443;
const CERTIFICATE_MS = 5_000;

export async function readProcess(): Promise<ProcessFacts> {
  const openFiles = await readFile('/proc/self/limits', 'utf8').then(openFilesIn, () => null);
  return { runtime: Bun.version, outgoing: outgoingProblem(), openFiles };
}

function outgoingProblem(): string | null {
  try {
    requireOutgoingRequests();
    return null;
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

/**
 * Returns the limit of open files; null if the text does not contain it.
 * @param limits the content of `/proc/self/limits`.
 */
export function openFilesIn(limits: string): number | null {
  const soft = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft);
}

export async function readFolder(path: string): Promise<FolderFacts> {
  const existing = await nearestFolder(path);
  const [found, system, refusal, brokenLink] = await Promise.all([
    stat(existing),
    statfs(existing),
    access(existing, constants.W_OK | constants.X_OK).then(() => null, codeOf),
    brokenLinkIn(path, existing),
  ]);
  return {
    ...{ path, existing, refusal, brokenLink },
    isFolder: found.isDirectory(),
    ownerId: found.uid,
    userId: process.getuid?.() ?? null,
    mode: found.mode & PERMISSIONS,
    // Some systems return the number as a signed integer.
    fileSystem: system.type >>> 0,
    freeBytes: system.bavail * system.bsize,
    freeFiles: system.files === 0 ? null : system.ffree,
  };
}

/** Returns the number of the file system that holds the path, or will hold it. */
export const deviceOf = async (path: string): Promise<number> =>
  (await stat(await nearestFolder(path))).dev;

/** Returns the path or its nearest existing parent, which may be a file. */
async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    (thrown: unknown) => !['ENOENT', 'ENOTDIR'].includes(codeOf(thrown)),
  );
  return isThere || dirname(path) === path ? path : await nearestFolder(dirname(path));
}

/** Returns the symbolic link below `existing` whose target does not exist, or null. */
async function brokenLinkIn(path: string, existing: string): Promise<string | null> {
  if (path === existing) return null;
  const isLink = await readlink(path).then(
    () => true,
    () => false,
  );
  return isLink ? path : await brokenLinkIn(dirname(path), existing);
}

/** Writes and flushes a file several times. Returns the times, or the error code of a failure. */
export async function measureFlushes(
  folder: string,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): Promise<FlushTimes | string> {
  const path = join(folder, `.doctor-${process.pid}`);
  const times: number[] = [];
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      const page = Buffer.alloc(PROBE_BYTES, 1);
      const begunMs = monotonicMs();
      for (let at = begunMs; times.length < MOST_FLUSHES && at < begunMs + FLUSHING_MS; ) {
        await file.write(page, 0, PROBE_BYTES, times.length * PROBE_BYTES);
        await file.sync();
        const nowMs = monotonicMs();
        times.push(nowMs - at);
        at = nowMs;
      }
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  } catch (thrown) {
    return codeOf(thrown);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const medianMs = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return { medianMs, longestMs: sorted.at(-1) ?? 0 };
}

/**
 * Returns the expiry time of a server's certificate; null if the server sends none within
 * `CERTIFICATE_MS`.
 */
export async function certificateEndMs(
  { hostname, port }: URL,
  clock: Pick<Clock, 'after'>,
): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // Accepts untrusted certificates, because an earlier check reports them.
  const options = { host, port: Number(port || HTTPS_PORT), rejectUnauthorized: false };
  const socket = connect({ ...options, ...(isIP(host) === 0 && { servername: host }) }, () => {
    resolve(Date.parse(socket.getPeerCertificate().valid_to));
  });
  socket.on('error', () => resolve(null));
  const late = clock.after(CERTIFICATE_MS, () => resolve(null));
  return await promise.finally(() => {
    late.cancel();
    socket.destroy();
  });
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : reasonOf(thrown);
