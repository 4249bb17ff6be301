import { afterAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { hashRedeemCode, newRedeemCode } from './redeem-code.ts';
import { redeemCodesConformance } from './redeem-codes-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => redeemCodesConformance(() => openFile(newFile())));
describe('PostgreSQL', () => redeemCodesConformance(() => openPostgresForTest()));

describe('the text of a code', () => {
  test('has no lookalike letters, and is read however it is typed', () => {
    const code = newRedeemCode(systemClock);
    expect(code).toMatch(/^MG(?:-[0-9A-HJKMNP-TV-Z]{5}){5}$/);
    const hash = hashRedeemCode(code);
    expect(hash?.byteLength).toBe(32);
    const misread = code.replace('MG-', '').replaceAll('0', 'o').replaceAll('1', 'l');
    // Chinese input methods type full-width letters.
    const wide = code.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    const typings = [code.toLowerCase(), code.replaceAll('-', ' \u2013 '), `mg${misread}`, wide];
    for (const typed of typings) {
      expect(hashRedeemCode(typed)).toEqual(hash);
    }
  });

  test('is rejected with any one letter wrong, or two neighbors swapped', () => {
    const code = newRedeemCode(systemClock);
    const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    for (let at = 3; at < code.length; at++) {
      const [here = '', next = ''] = [code[at], code[at + 1]];
      if (here === '-') continue;
      for (const letter of letters.replace(here, '')) {
        expect(hashRedeemCode(code.slice(0, at) + letter + code.slice(at + 1))).toBeNull();
      }
      if (next === here || next === '-' || next === '') continue;
      expect(hashRedeemCode(code.slice(0, at) + next + here + code.slice(at + 2))).toBeNull();
    }
  });

  test('is rejected in any other form', () => {
    const code = newRedeemCode(systemClock);
    for (const text of ['', 'MG', code.slice(0, -1), `${code}0`, code.slice(3), code.repeat(9)]) {
      expect(hashRedeemCode(text)).toBeNull();
    }
  });
});
