/**
 * Drops the pages of the runtime's executable from this process's memory. They are more than half
 * of the resident memory, but most are read only during the start. A dropped page that is read
 * again comes from the file cache, within microseconds.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/** `MADV_DONTNEED` of Linux: drops pages. The next access reads them from their file again. */
const DONT_NEED = 4;

/** A range of the address space; `to` is exclusive. */
export type Range = { readonly from: bigint; readonly to: bigint };

/**
 * Drops the pages of the runtime's executable. Does nothing on systems other than Linux.
 * @throws Error when the C library cannot be called; no page was dropped then.
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
 * Returns the memory ranges of a mapped file that the process has not changed and cannot change.
 * Only their pages can be dropped, because a dropped page is read from the file again.
 * @param smaps the content of `/proc/self/smaps`.
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

/**
 * The first line of a memory range in `smaps`: addresses, access, offset, device, inode and file.
 */
const HEAD = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ +(.+)$/;

const partsOf = (smaps: string): readonly { readonly head: string; readonly body: string }[] =>
  smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).map((part) => {
    const end = part.indexOf('\n');
    return { head: part.slice(0, end), body: part.slice(end) };
  });

/** Returns the path of the loaded C library, glibc's or musl's; null if none is found. */
const libraryIn = (smaps: string): string | null =>
  / (\/\S*\/(?:libc\.so\.6|ld-musl-[^/\s]+\.so\.1))$/m.exec(smaps)?.[1] ?? null;
