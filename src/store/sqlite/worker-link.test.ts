import { describe, expect, test } from 'bun:test';
import { failureOf } from '../../ledger/conformance/ledger.fixture.ts';
import { WorkerLink } from './worker-link.ts';

/** Returns a link to a thread that runs the code `onMessage` for each message. */
function linkTo(
  onMessage: string,
  onTouched?: ConstructorParameters<typeof WorkerLink>[1],
): WorkerLink {
  const code = `self.onmessage = ({ data }) => { ${onMessage} };`;
  return new WorkerLink(new Worker(URL.createObjectURL(new Blob([code]))), onTouched);
}
const question = { sql: 'SELECT 1', params: [] };

describe('worker link', () => {
  test('gives each question its own answer', async () => {
    const link = linkTo('postMessage({ id: data.id, answer: [{ asked: data.ask.sql }] });');
    const asked = ['a', 'b', 'c'].map((sql) => link.ask('query', { sql, params: [] }));
    expect(await Promise.all(asked)).toEqual([
      [{ asked: 'a' }],
      [{ asked: 'b' }],
      [{ asked: 'c' }],
    ]);
    link.terminate();
  });

  test('reports touched accounts, then the answer, before any later answer', async () => {
    const seen: unknown[] = [];
    const link = linkTo(
      "postMessage({ id: data.id, answer: [], touched: data.ask.sql === 'a' ? ['acc'] : null });",
      (accountIds) => seen.push(accountIds),
    );
    const ask = (sql: string) => link.ask('query', { sql, params: [] }, () => seen.push(sql));
    await Promise.all([ask('a'), ask('b')]);
    expect(seen).toEqual([['acc'], 'a', null, 'b']);
    link.terminate();
  });

  test('knows nothing of any account after the store has failed', async () => {
    const seen: unknown[] = [];
    const failed = "{ code: data.ask.sql, message: '' }";
    const link = linkTo(`postMessage({ id: data.id, failed: ${failed} });`, (ids) =>
      seen.push(ids),
    );
    for (const sql of ['internal_error', 'store_unavailable']) {
      expect(await failureOf(link.ask('query', { sql, params: [] }))).toMatchObject({ code: sql });
    }
    expect(seen).toEqual([null]);
    link.terminate();
  });

  test('a thread that throws fails all pending and later questions', async () => {
    const link = linkTo("if (data.kind === 'close') throw new Error('broken');");
    const waiting = [link.ask('query', question), link.ask('close', null)];
    for (const each of waiting) {
      expect(await failureOf(each)).toMatchObject({ code: 'store_unavailable' });
    }
    expect(await failureOf(link.ask('query', question))).toMatchObject({
      code: 'store_unavailable',
    });
    link.terminate();
  });

  test('a thread that ends fails all pending questions', async () => {
    const link = linkTo('process.exit(3);');
    expect(await failureOf(link.ask('query', question))).toMatchObject({
      code: 'store_unavailable',
    });
    link.terminate();
  });

  test('accepts a limited number of pending questions', async () => {
    const link = linkTo('');
    const asked = Array.from({ length: 1_001 }, () => failureOf(link.ask('query', question)));
    expect(await asked.at(-1)).toMatchObject({ code: 'store_unavailable' });
    link.terminate();
    expect(await asked[0]).toMatchObject({ code: 'store_unavailable' });
  });
});
