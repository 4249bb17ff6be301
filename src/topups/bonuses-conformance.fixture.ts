/** The conformance suite of bonuses on card payments, run on every engine. */
import { describe, expect } from 'bun:test';
import { asGatewayError } from '../errors.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { adjust, credit, failureOf, hold, voided } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { Command } from '../ledger/ledger.ts';
import { nano } from '../money/amount.ts';
import { integer } from '../store/row.ts';
import { statement } from '../store/sql.ts';
import { bonusesOf } from './bonuses.ts';
import { CardPayments } from './card-payments.ts';
import {
  FailingStore,
  lawOf,
  PAID,
  refund,
  roomOf,
  session,
  TWENTY,
} from './card-payments-room.fixture.ts';
import { signedEvent } from './stripe.fixture.ts';

/** Each order in this suite is for 20 USD, so its bonus is 7.5 %, which is 1.50 USD. */
const BONUSES = bonusesOf({ USD: { '20': '7.5', '100': '10' }, CNY: {} });
const BONUS = 1_500_000_000n;
const REFUNDED = 'charge.refunded';

const booked = async ({ sql }: Database, account: string): Promise<bigint> => {
  const [row] = await sql.query(statement`SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS amount
    FROM entry WHERE account_id = ${account} AND currency = 'USD'`);
  if (row === undefined) throw new Error('no sum');
  return integer(row, 'amount');
};

export function bonusesConformance(open: Open): void {
  const law = lawOf(open, () => BONUSES);
  describe('a bonus', () => {
    law(
      'is credited with its payment, once, from a ledger account of its own',
      async (room, db) => {
        const order = await room.order();
        expect([order.bonus, await room.balance()]).toEqual([nano(BONUS), 0n]);
        await Promise.all(
          Array.from({ length: 6 }, (_, at) => room.send(`evt_${at % 2}`, PAID, session(order))),
        );
        await room.send('evt_9', PAID, session(order));
        expect(await room.balance()).toBe(TWENTY + BONUS);
        expect([await booked(db, 'card_payment'), await booked(db, 'bonus')]).toEqual([
          -TWENTY,
          -BONUS,
        ]);
        const { items } = await room.orders.events({ limit: 9, after: null });
        expect(items[0]?.detail).toBe('20.000000000 USD and a bonus of 1.500000000');
        expect((await room.payments.get(order.id, 'alice')).bonus).toBe(nano(BONUS));
        expect(await db.ledger.verify()).toEqual([]);
      },
    );

    law('is never credited without the payment', async (room, db) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order, { payment_status: 'unpaid' }));
      await room.send('evt_2', PAID, session(await room.order(), { amount_total: 1 }));
      await room.send('evt_3', 'checkout.session.async_payment_failed', session(order));
      expect([await room.balance(), await booked(db, 'bonus')]).toEqual([0n, 0n]);
    });

    law('is credited by the next event if the ledger refuses its payment', async (room) => {
      const order = await room.order();
      const object = session(order);
      const event = await signedEvent({ id: 'evt_1', type: PAID, object }, room.clock.nowMs());
      const refuse = async () => [{ status: 'account_unknown' }] as const;
      const { wallets, inMemory } = room.deps.ledger;
      const ledger = { wallets, inMemory, apply: refuse };
      const refused = new CardPayments({ ...room.deps, ledger });
      const failure = await failureOf(refused.handleWebhook(event.body, event.signature));
      expect(failure).toMatchObject({ code: 'internal_error' });
      expect((await room.payments.get(order.id, 'alice')).state).toBe('open');
      await room.handleWebhook(event);
      expect(await room.balance()).toBe(TWENTY + BONUS);
    });

    law('goes back with its part of a refund, and wholly with the whole payment', async (room) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      await room.send('evt_2', REFUNDED, refund(order, 500));
      expect(await room.balance()).toBe(15_000_000_000n + 1_125_000_000n);
      expect(room.troubles[0]?.detail).toBe(
        'refund of 5.000000000 USD and 0.375000000 of its bonus: 5.375000000 was deducted from the wallet.',
      );
      await room.send('evt_3', REFUNDED, refund(order, 2000));
      await room.send('evt_4', REFUNDED, refund(order, 2000));
      expect(await room.balance()).toBe(0n);
    });

    law('that was spent goes back as far as the wallet has it', async (room, { ledger }) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      await ledger.apply([adjust('spent', -1_000_000_000n)]);
      await room.send('evt_2', REFUNDED, refund(order, 2000));
      expect(await room.balance()).toBe(0n);
      expect(await room.orders.reversals(order.id)).toMatchObject([{ taken: 20_500_000_000n }]);
    });

    law('goes back in parts while running requests hold the wallet', async (room, { ledger }) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      await ledger.apply([hold('req_1', 15_000_000_000n), hold('req_2', 2_000_000_000n)]);
      const refunding = () =>
        room.send('evt_2', REFUNDED, refund(order, 2000)).then(
          () => 'done',
          (thrown: unknown) => asGatewayError(thrown).code,
        );
      expect([await refunding(), await room.balance()]).toEqual([
        'store_unavailable',
        17_000_000_000n,
      ]);
      await ledger.apply([voided('req_2')]);
      expect([await refunding(), await room.balance()]).toEqual([
        'store_unavailable',
        15_000_000_000n,
      ]);
      expect(await refunding()).toBe('store_unavailable');
      expect(room.troubles).toEqual([]);
      // Only what is still missing is deducted from new money.
      await ledger.apply([voided('req_1'), credit('new', 9_000_000_000n)]);
      expect(await Promise.all([refunding(), refunding()])).toEqual(['done', 'done']);
      expect(await room.balance()).toBe(9_000_000_000n);
      expect(await room.orders.reversals(order.id)).toMatchObject([{ taken: TWENTY + BONUS }]);
      expect(room.troubles[0]?.detail).toContain(': 21.500000000 was deducted from the wallet.');
      expect(await ledger.verify()).toEqual([]);
    });
  });

  rule(open, 'an order keeps the bonus that it was shown with', async (database) => {
    let inForce = BONUSES;
    const room = await roomOf(database, database.sql, () => inForce);
    try {
      const before = await room.order();
      inForce = { USD: [], CNY: [] };
      const after = await room.order();
      for (const order of [before, after]) await room.send(order.id, PAID, session(order));
      expect([before.bonus, after.bonus]).toEqual([nano(BONUS), nano(0n)]);
      expect(await room.balance()).toBe(2n * TWENTY + BONUS);
    } finally {
      await room.standIn.stop();
    }
  });

  rule(open, 'a crash at any step leaves one payment with one bonus', async (database) => {
    const store = new FailingStore(database.sql);
    const room = await roomOf(database, store, () => BONUSES);
    try {
      let orders = 0n;
      for (let step = 0, isHeard = false; !isHeard; step++) {
        const order = await room.order();
        orders += 1n;
        store.asksLeft = step;
        const event = [`evt_${step}`, PAID, session(order)] as const;
        isHeard = await room.send(...event).then(
          () => true,
          () => false,
        );
        store.asksLeft = Number.POSITIVE_INFINITY;
        await room.send(...event);
      }
      expect(orders).toBeGreaterThan(3n);
      expect(await room.balance()).toBe(orders * (TWENTY + BONUS));
      expect(await booked(database, 'bonus')).toBe(-orders * BONUS);
    } finally {
      await room.standIn.stop();
    }
  });

  const name = 'a process that dies between payment and bonus books the bonus with the next event';
  rule(open, name, async (database) => {
    const room = await roomOf(database, database.sql, () => BONUSES);
    try {
      const order = await room.order();
      const { ledger } = database;
      // This ledger books the payment but not the bonus, and then fails, as if the process died
      // between these two commands.
      const cut = {
        wallets: () => Promise.resolve([]),
        inMemory: ledger.inMemory,
        apply: async (batch: readonly Command[]) => {
          await ledger.apply(batch.slice(0, 1));
          throw new Error('the process dies');
        },
      };
      const dying = new CardPayments({ ...room.deps, ledger: cut });
      const { body, signature } = await signedEvent(
        { id: 'evt_1', type: PAID, object: session(order) },
        room.clock.nowMs(),
      );
      const died = await dying.handleWebhook(body, signature).then(
        () => false,
        () => true,
      );
      expect([died, await room.balance()]).toEqual([true, TWENTY]);
      await room.payments.handleWebhook(body, signature);
      await room.payments.handleWebhook(body, signature);
      expect(await room.balance()).toBe(TWENTY + BONUS);
    } finally {
      await room.standIn.stop();
    }
  });
}
