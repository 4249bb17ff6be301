import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTCOMES, outcome, outcomeOf, outcomeText } from './webhook-outcome.ts';

test('docs/alerts.md explains every outcome of a delivery', () => {
  const docs = readFileSync(join(import.meta.dir, '../../../docs/alerts.md'), 'utf8');
  const explained = [...docs.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(explained).toEqual(expect.arrayContaining([...OUTCOMES]));
});

test('reads each stored outcome, and no sentence of an earlier version', () => {
  for (const code of OUTCOMES)
    for (const each of [outcome(code), outcome(code, '503')])
      expect(outcomeOf(outcomeText(each))).toEqual(each);
  expect([outcomeOf(''), outcomeOf('The receiver answered 503.')]).toEqual([null, null]);
});
