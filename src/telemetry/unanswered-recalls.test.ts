import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { nano } from '../money/amount.ts';
import { UnansweredRecalls } from './unanswered-recalls.ts';

test('counts each recall, and logs a busy account once in ten seconds', () => {
  const clock = manualClock();
  const lines: string[] = [];
  const add = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
  const recalls = new UnansweredRecalls({
    clock,
    log: { warn: add('warn'), error: add('error') },
  });
  const accountIds = ['alice'];
  const refused = (id: string): void => recalls.add({ accountIds, of: 'hold', id, loss: nano(0n) });
  for (const id of ['h1', 'h2', 'h3']) refused(id);
  clock.advance(10_000);
  refused('h4');
  recalls.add({ accountIds, of: 'settle', id: 'h5', loss: nano(7n) });
  recalls.add({ accountIds, of: 'change', id: null, loss: nano(0n) });
  expect(recalls.count).toBe(6);
  expect(lines.map((line) => line.split('}')[0])).toEqual([
    'warn {"accounts":["alice"],"command":"hold","id":"h1"',
    'warn {"accounts":["alice"],"command":"hold","id":"h4"',
    'error {"accounts":["alice"],"command":"settle","id":"h5","loss":"7"',
    'error {"accounts":["alice"]',
  ]);
});
