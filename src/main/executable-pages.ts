/**
 * Drops from this process the pages of the runtime's executable, most of which only its start read.
 * They are more than half of the resident memory, but most are never read again. A page that is
 * read again comes from the file cache, within microseconds.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/** `MADV_DONTNEED` of Linux: drops pages, which the next access reads from their file again. */
const DONT_NEED = 4;

/** A part of the address space, as a half-open range. */
export type Range = { readonly from: bigint; readonly to: bigint };

/**
 * Does nothing on other systems than Linux.
 * @throws Error when the system's library cannot be called; everything is then as before.
 */
export async function dropExecutablePages(): Promise<void> {
  if (process.platform !== 'linux') return;
  const maps = readFileSync('/proc/self/smaps', 'utf8');
  const library = libraryIn(maps);
  if (library === null) return;
  const { dlopen } = await import('bun:ffi');
  const { symbols, close } = dlopen(library, {
    madvise: { args: ['u64', 'u64', 'i32'], returns: 'i32' },
  });
  for (const { from, to } of unchangedParts(maps, readlinkSync('/proc/self/exe'))) {
    symbols.madvise(from, to - from, DONT_NEED);
  }
  close();
}

/**
 * Returns the parts of a file in `/proc/self/smaps` in which the process has changed nothing and
 * can change nothing. Only these parts have the same content when they are read again.
 */
export function unchangedParts(smaps: string, file: string): readonly Range[] {
  return partsOf(smaps).flatMap(({ head, body }) => {
    const [, from, to, access, path] = HEAD.exec(head) ?? [];
    const isUnchanged = access?.startsWith('r-') === true && /^Anonymous: +0 kB$/m.test(body);
    return path === file && isUnchanged
      ? [{ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`) }]
      : [];
  });
}

/** The first line of a part: its addresses, access, offset, device, inode and file. */
const HEAD = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ +(.+)$/;

const partsOf = (smaps: string): readonly { readonly head: string; readonly body: string }[] =>
  smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).map((part) => {
    const end = part.indexOf('\n');
    return { head: part.slice(0, end), body: part.slice(end) };
  });

/** Returns the path of the C library that the process has loaded: glibc's or musl's. */
const libraryIn = (smaps: string): string | null =>
  / (\/\S*\/(?:libc\.so\.6|ld-musl-[^/\s]+\.so\.1))$/m.exec(smaps)?.[1] ?? null;
