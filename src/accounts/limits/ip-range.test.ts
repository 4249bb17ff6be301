import { expect, test } from 'bun:test';
import { isWithin, parseAddress, parseRange } from './ip-range.ts';

const within = (address: string, range: string): boolean => {
  const parsed = parseAddress(address);
  const of = parseRange(range);
  if (parsed === null || of === null) throw new Error('The test wrote it wrongly.');
  return isWithin(parsed, of);
};

test('matches addresses inside a range only', () => {
  const cases: [string, string, boolean][] = [
    ['10.255.255.255', '10.0.0.0/8', true],
    ['11.0.0.0', '10.0.0.0/8', false],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.2', '192.0.2.1/32', false],
    ['255.1.2.3', '0.0.0.0/0', true],
    ['::1', '0.0.0.0/0', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '::ffff:10.0.0.0/104', true],
    ['::ffff:a01:203', '10.0.0.0/8', true],
    ['2001:db8:ffff::1', '2001:db8::/32', true],
    ['2001:db9::', '2001:db8::/32', false],
    ['::1', '::1', true],
  ];
  for (const [address, range, expected] of cases) {
    expect(`${address} ${within(address, range)}`).toBe(`${address} ${expected}`);
  }
});

test('rejects invalid and ambiguous ranges', () => {
  for (const text of [
    '',
    '10.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    'fe80::1%eth0',
    '10.0.0.0/08',
    '::ffff:10.0.0.0/95',
    'a/8',
    '10.0.0.0/',
  ]) {
    expect(parseRange(text)).toBeNull();
  }
});
