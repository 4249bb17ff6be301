/** Tests of the prompt log that every store engine must pass. */
import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { nextTurn } from '../../clock.ts';
import { failureOf } from '../../ledger/conformance/ledger.fixture.ts';
import { keysIn, newKey, type SecretKey } from '../../secrets/secret-keys.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';
import { MAX_ANSWER_BYTES, MAX_PROMPT_BYTES, PromptLog, type PromptLogDeps } from './prompt-log.ts';
import { PromptSwitch } from './prompt-switch.ts';

const DAY_MS = 86_400_000;
const ASKER = { accountId: 'acc_1', keyId: 'key_1' };

export function promptNode(sql: SqlExecutor, more: Partial<PromptLogDeps> = {}) {
  const clock = manualClock();
  const promptSwitch = new PromptSwitch({ sql, clock });
  const [first] = keysIn(newKey(clock), 'the test').keys;
  if (first === undefined) throw new Error('the test has no key');
  const keys = { firstKey: (): SecretKey => first, keyOf: (id: string) => byId(first, id) };
  const prompts = new PromptLog({
    sql,
    clock,
    keys,
    isOn: (asker) => promptSwitch.isOn(asker),
    keptMs: () => 30 * DAY_MS,
    onFailure: (thrown) => {
      throw thrown;
    },
    ...more,
  });
  /** Passes an answer through the prompt log, reads it as a caller would, and returns its text. */
  const ask = async (requestId: string, prompt: string, answer: string, asker = ASKER) => {
    const asked = new TextEncoder().encode(prompt);
    const passed = prompts.watched(requestId, asker, asked, new Response(answer));
    return await passed.text();
  };
  const stored = async (): Promise<number> => {
    await prompts.flush();
    const [row] = await sql.query(statement`SELECT COUNT(*) AS n FROM prompt_record`);
    return Number(row?.['n']);
  };
  return { clock, promptSwitch, prompts, ask, stored };
}

const byId = (key: SecretKey, id: string): SecretKey | null => (key.id === id ? key : null);
const on = (subject: string, accountId = 'acc_1') => ({ subject, accountId });

export function promptConformance(engine: string, open: () => Promise<SqlExecutor>): void {
  const rule = (name: string, check: (sql: SqlExecutor) => Promise<void>): void =>
    test(`${engine}: ${name}`, async () => await check(await open()), 60_000);

  rule('is off until it is turned on, for an account or a key, on every node', async (sql) => {
    const [one, other] = [promptNode(sql), promptNode(sql)];
    expect(one.prompts.isOn(ASKER)).toBe(false);
    await one.promptSwitch.set(on('key_1'), true, 'usr_1');
    await one.promptSwitch.set(on('acc_2', 'acc_2'), true, 'admin');
    await other.promptSwitch.refresh();
    expect(other.prompts.isOn(ASKER)).toBe(true);
    expect(other.prompts.isOn({ ...ASKER, keyId: 'key_2' })).toBe(false);
    expect(other.prompts.isOn({ accountId: 'acc_2', keyId: 'key_9' })).toBe(true);
    expect(await other.promptSwitch.of('acc_1')).toMatchObject([
      { subject: 'key_1', setBy: 'usr_1' },
    ]);
    // An account cannot turn off the logging of a key that another account owns.
    await one.promptSwitch.set(on('key_1', 'acc_2'), false, 'usr_2');
    expect(await other.promptSwitch.of('acc_1')).toHaveLength(1);
    await one.promptSwitch.set(on('key_1'), true, 'usr_3');
    await one.promptSwitch.set(on('key_1'), false, 'usr_1');
    expect(one.prompts.isOn(ASKER)).toBe(false);
    const audit = await sql.query(statement`SELECT action, actor, subject FROM audit
      WHERE action LIKE 'prompt_log.%' ORDER BY id`);
    expect(audit.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      'prompt_log.on usr_1',
      'prompt_log.on admin',
      'prompt_log.off usr_1',
    ]);
  });

  rule('reads the list again on a node that could not read it after a change', async (sql) => {
    const one = promptNode(sql);
    await one.promptSwitch.set(on('acc_1'), true, 'usr_1');
    let isAway = false;
    let last: Promise<unknown> = Promise.resolve();
    const other = promptNode({
      query: (of) => {
        const answer = isAway ? Promise.reject(new Error('away')) : sql.query(of);
        last = answer;
        return answer;
      },
      transaction: (of, audit) => sql.transaction(of, audit),
    });
    const failures: string[] = [];
    const follow = () => other.promptSwitch.follow((thrown) => failures.push(String(thrown)));
    await follow();
    expect(other.prompts.isOn(ASKER)).toBe(true);
    isAway = true;
    await one.promptSwitch.set(on('acc_1'), false, 'usr_1');
    await follow();
    isAway = false;
    other.clock.advance(5_000);
    await last;
    await nextTurn();
    expect(other.prompts.isOn(ASKER)).toBe(false);
    expect(failures).toEqual(['Error: away']);
  });

  rule('returns what passed to its account, and stores no plain text', async (sql) => {
    const { promptSwitch, prompts, ask } = promptNode(sql);
    await promptSwitch.set(on('acc_1'), true, 'usr_1');
    expect(await ask('req_1', '{"content":"my secret question"}', 'my secret answer ü')).toBe(
      'my secret answer ü',
    );
    expect(await prompts.one('req_1', 'acc_1')).toMatchObject({
      ...{ prompt: '{"content":"my secret question"}', answer: 'my secret answer ü' },
      isCut: false,
    });
    expect(await prompts.one('req_1', 'acc_2')).toBeNull();
    const rows = await sql.query(statement`SELECT * FROM prompt_record`);
    const cells = rows.flatMap((row) => Object.values(row).map((cell) => bytesOf(cell)));
    expect(cells.filter((cell) => cell.includes('secret'))).toEqual([]);
    await sql.query(statement`UPDATE prompt_record SET account_id = 'acc_2'`);
    expect(await failureOf(prompts.one('req_1', 'acc_2'))).toMatchObject({
      code: 'secrets_key_missing',
    });
  });

  rule('cuts long texts, and stores nothing if logging is turned off meanwhile', async (sql) => {
    const { promptSwitch, prompts, ask, stored } = promptNode(sql);
    await promptSwitch.set(on('acc_1'), true, 'usr_1');
    const answer = 'a'.repeat(MAX_ANSWER_BYTES + 1);
    expect(await ask('req_1', 'p'.repeat(MAX_PROMPT_BYTES + 1), answer)).toBe(answer);
    const kept = await prompts.one('req_1', null);
    expect([kept?.prompt.length, kept?.answer.length, kept?.isCut]).toEqual([
      MAX_PROMPT_BYTES,
      MAX_ANSWER_BYTES,
      true,
    ]);
    const running = prompts.watched('req_2', ASKER, new Uint8Array(1), new Response('late'));
    await promptSwitch.set(on('acc_1'), false, 'usr_1');
    expect(await running.text()).toBe('late');
    expect(await stored()).toBe(1);
  });

  rule('keeps what a caller who left had got, and a failed stream fails as before', async (sql) => {
    const { promptSwitch, prompts } = promptNode(sql);
    await promptSwitch.set(on('acc_1'), true, 'usr_1');
    let isCanceled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('piece')),
      cancel: () => {
        isCanceled = true;
      },
    });
    const left = prompts.watched('req_1', ASKER, new Uint8Array(0), new Response(endless));
    const reader = left.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(isCanceled).toBe(true);
    expect((await prompts.one('req_1', null))?.answer).toStartWith('piece');
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('broke off')),
    });
    const failing = prompts.watched('req_2', ASKER, new Uint8Array(0), new Response(broken));
    expect(String(await failureOf(failing.text()))).toContain('broke off');
    expect((await prompts.one('req_2', null))?.answer).toBe('');
  });

  rule('deletes the oldest records beyond its size, in steps of any length', async (sql) => {
    for (const [at, stepRows] of [1, 2, 3, 100].entries()) {
      const accountId = `acc_${at}`;
      const limits = { ofAccountBytes: 4_200, keptBytes: 1_000_000, stepRows };
      const { clock, promptSwitch, prompts, ask } = promptNode(sql, { limits });
      await promptSwitch.set(on(accountId, accountId), true, 'usr_1');
      const asker = { accountId, keyId: 'key_1' };
      const ids = Array.from({ length: 9 }, (_, n) => `req_${at}_${n}`);
      for (const id of ids) {
        await ask(id, 'x'.repeat(900), '', asker);
        clock.advance(1);
      }
      await prompts.flush();
      const rows = await sql.query(statement`SELECT request_id FROM prompt_record
        WHERE account_id = ${accountId} ORDER BY at_ms`);
      expect([stepRows, rows.map((row) => row['request_id'])]).toEqual([stepRows, ids.slice(5)]);
    }
  });

  rule('does not sum the records of an account after every write', async (sql) => {
    const asked: string[] = [];
    const counting: SqlExecutor = {
      query: (of) => {
        if (of.sql.includes('SUM(bytes)')) asked.push(of.sql);
        return sql.query(of);
      },
      transaction: (of, audit) => sql.transaction(of, audit),
    };
    const { promptSwitch, prompts, ask } = promptNode(counting);
    await promptSwitch.set(on('acc_1'), true, 'usr_1');
    for (let at = 0; at < 10; at += 1) {
      await ask(`req_${at}`, 'a prompt', 'an answer');
      await prompts.flush();
    }
    // Both sums are read once an hour: that of the account, and that of all accounts.
    expect(asked).toHaveLength(2);
  });

  rule('deletes all records of an account in short steps, with one audit entry', async (sql) => {
    const deleted: number[] = [];
    const noted = (rows: readonly unknown[], of: { readonly sql: string }): void => {
      if (of.sql.startsWith('DELETE FROM prompt_record')) deleted.push(rows.length);
    };
    const noting: SqlExecutor = {
      query: async (of) => {
        const rows = await sql.query(of);
        noted(rows, of);
        return rows;
      },
      transaction: async (all, audit) => {
        const found = await sql.transaction(all, audit);
        for (const [at, of] of all.entries()) noted(found[at] ?? [], of);
        return found;
      },
    };
    const { promptSwitch, prompts, ask, stored } = promptNode(noting);
    await promptSwitch.set(on('acc_1'), true, 'usr_1');
    for (let at = 0; at < 120; at += 1) await ask(`req_all_${at}`, 'a prompt', 'an answer');
    expect(await stored()).toBe(120);
    const entries = async () =>
      (await sql.query(statement`SELECT id FROM audit WHERE action = 'prompt_log.delete'`)).length;
    const before = await entries();
    deleted.length = 0;
    expect(await prompts.delete('acc_1', null, 'usr_1')).toBe(120);
    expect([await stored(), deleted, await entries()]).toEqual([0, [50, 50, 20], before + 1]);
  });

  rule('deletes at once, after the retention, and beyond its size', async (sql) => {
    const limits = { ofAccountBytes: 2_500, keptBytes: 4_500 };
    const { clock, promptSwitch, prompts, ask, stored } = promptNode(sql, { limits });
    const others = { accountId: 'acc_2', keyId: 'key_2' };
    await promptSwitch.set(on('acc_1'), true, 'usr_1');
    await promptSwitch.set(on('acc_2', 'acc_2'), true, 'usr_2');
    for (let at = 0; at < 5; at += 1) {
      await ask(`req_${at}`, 'x'.repeat(900), '');
      clock.advance(1);
    }
    expect(await stored()).toBe(2);
    expect(await prompts.one('req_4', 'acc_1')).not.toBeNull();
    await ask('req_other', 'x', '', others);
    expect(await prompts.delete('acc_2', 'req_4', 'usr_2')).toBe(0);
    expect(await prompts.delete('acc_1', 'req_4', 'usr_1')).toBe(1);
    expect(await prompts.delete('acc_1', null, 'usr_1')).toBe(1);
    expect(await stored()).toBe(1);
    clock.advance(31 * DAY_MS);
    await prompts.flush();
    expect(await stored()).toBe(0);
  });
}

const bytesOf = (cell: unknown): string =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell);
