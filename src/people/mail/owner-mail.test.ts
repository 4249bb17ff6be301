import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { Mailer } from '../../mail/mailer.ts';
import { DAY_MS } from '../../money/calendar.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { MAX_ALERTS_A_DAY, OwnerMail } from './owner-mail.ts';

/** Queues email for an account with one owner, who gets every email. */
function roomOf() {
  const clock = manualClock();
  const queued: string[] = [];
  const mailer = new Mailer({
    outbox: {
      draw: () => {
        throw new Error('no statement is asked for');
      },
      add: async ({ kind, accountId }) => {
        queued.push(`${accountId} ${kind}`);
        return kind;
      },
      countOf: async () => 0,
    },
    isOn: () => true,
    brand: () => ({ name: 'Modelgate', support_url: null }),
    wake: () => undefined,
  });
  const owner = { id: 'usr_1', email: 'a@example.com', name: 'Acme', language: 'en', alerts: 1n };
  const sql: Pick<SqlExecutor, 'query'> = { query: async () => [owner] };
  const ownerMail = new OwnerMail({ sql, mailer, clock });
  const words = { subject: 'A letter', paragraphs: [] };
  const send = (accountId: string, kind: 'alert' | 'receipt', event: number) =>
    ownerMail.send(accountId, kind, `${event}`, () => () => ({ en: words, zh: words }));
  return { clock, queued, send };
}

test('an account cannot fill the queue of email with its alerts', async () => {
  const { clock, queued, send } = roomOf();
  for (let event = 0; event < MAX_ALERTS_A_DAY + 10; event += 1) await send('one', 'alert', event);
  expect(queued).toHaveLength(MAX_ALERTS_A_DAY);
  queued.length = 0;
  await send('one', 'receipt', 0);
  await send('other', 'alert', 0);
  clock.advance(DAY_MS);
  await send('one', 'alert', 0);
  expect(queued).toEqual(['one receipt', 'other alert', 'one alert']);
});
