import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dropExecutablePages, unchangedParts } from './executable-pages.ts';

const part = (addresses: string, access: string, anonymousKb: number, file: string): string =>
  `${addresses} ${access} 00000000 fe:00 5326163                            ${file}\nSize: 24804 kB\nAnonymous:             ${anonymousKb} kB\nVmFlags: rd mr mw me`;

test('only parts of the file that the process neither changed nor can change are dropped', () => {
  const smaps = [
    part('00200000-01a39000', 'r--p', 0, '/opt/bun'),
    part('01a40000-0684a000', 'r-xp', 0, '/opt/bun'),
    part('0684a000-0685f000', 'rw-p', 0, '/opt/bun'),
    part('0685f000-06867000', 'r--p', 12, '/opt/bun'),
    part('7f0000000000-7f0000001000', 'r-xp', 0, '/lib/libc.so.6'),
    part('7f0000002000-7f0000003000', 'r--p', 0, ''),
  ].join('\n');
  expect(unchangedParts(`${smaps}\n`, '/opt/bun')).toEqual([
    { from: 0x200000n, to: 0x1a39000n },
    { from: 0x1a40000n, to: 0x684a000n },
  ]);
});

/** Returns the resident memory of this process that is mapped from files, in kB. */
const residentOfFiles = (): number =>
  Number(/^RssFile:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

test('the process has fewer pages of files, and runs on', async () => {
  const before = residentOfFiles();
  await dropExecutablePages();
  expect(residentOfFiles()).toBeLessThan(before * 0.8);
  expect(JSON.parse('{"a":[1,2]}')).toEqual({ a: [1, 2] });
  expect(new Bun.CryptoHasher('sha256').update('a').digest('hex')).toStartWith('ca978112');
});
