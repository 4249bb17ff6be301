/** The conformance suite of card payments. It uses the official SDK with a simulated server. */
import { describe, expect } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { adjust, failureOf } from '../ledger/conformance/ledger.fixture.ts';
import { nano } from '../money/amount.ts';
import {
  ALICE,
  DISPUTED,
  dispute,
  FailingStore,
  type Law,
  lawOf,
  PAID,
  refund,
  roomOf,
  session,
  TWENTY,
  WITHDRAWN,
} from './card-payments-room.fixture.ts';
import { type Signed, signedEvent } from './stripe.fixture.ts';
import { MAX_UNPAID_ORDERS, type TopUpOrder } from './top-up-orders.ts';

export function cardPaymentsConformance(open: Open): void {
  const law = lawOf(open);
  ordering(law);
  paying(law);
  mistrust(law);
  reversing(law);
  disputing(law);
  stores(open);
}

/** Returns a well-formed signature that is made with an empty secret, which must be refused. */
function signedWithNothing(body: Uint8Array, atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const digest = createHmac('sha256', '').update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

function ordering(law: Law): void {
  describe('an order', () => {
    law(
      'opens a payment page under its own idempotency key',
      async ({ order, standIn, payments }) => {
        const made = await order();
        expect(made).toMatchObject({
          state: 'open',
          minorAmount: 2000n,
          url: 'https://pay.example/cs_1',
        });
        const [asked] = standIn.asked;
        expect(asked?.idempotencyKey).toBe(made.id);
        const form = Object.fromEntries(asked?.form ?? []);
        expect(form).toMatchObject({
          mode: 'payment',
          client_reference_id: made.id,
          'metadata[order_id]': made.id,
          'payment_intent_data[metadata][order_id]': made.id,
          'line_items[0][price_data][currency]': 'usd',
          'line_items[0][price_data][unit_amount]': '2000',
          success_url: 'http://gateway/top-ups/return?result=paid',
        });
        expect(await payments.get(made.id, 'alice')).toMatchObject({ sessionId: 'cs_1' });
        for (const [id, account] of [[made.id, 'bob'] as const, ['top_none', 'alice'] as const])
          expect(await failureOf(payments.get(id, account))).toMatchObject({ code: 'not_found' });
      },
    );

    law(
      'is refused outside the limits, or with fractions of a cent',
      async ({ payments, standIn }) => {
        for (const amount of [4_990_000_000n, 1_000_010_000_000n, 20_001_000_000n]) {
          const wanted = { amount: nano(amount), currency: 'USD' } as const;
          expect(await failureOf(payments.order(wanted, ALICE))).toMatchObject({ param: 'amount' });
        }
        expect(standIn.asked).toEqual([]);
      },
    );

    law('fails when the provider refuses it', async ({ order, standIn, orders }) => {
      standIn.failure = 400;
      expect(await failureOf(order())).toMatchObject({ code: 'payment_provider_failed' });
      const { items } = await orders.ofAccount('alice', { limit: 9, after: null });
      expect(items).toMatchObject([{ state: 'failed', url: null }]);
    });

    law('is refused when too many are unpaid, and listed in pages', async ({ order, orders }) => {
      const ids: string[] = [];
      for (let made = 0; made < MAX_UNPAID_ORDERS; made++) ids.push((await order()).id);
      expect(await failureOf(order())).toMatchObject({ code: 'conflict' });
      const newest = await orders.ofAccount('alice', { limit: 5, after: null });
      const rest = await orders.ofAccount('alice', { limit: 50, after: newest.next });
      const listed = [...newest.items, ...rest.items].map(({ id }) => id);
      expect(listed).toEqual(ids.toSorted().toReversed());
    });
  });
}

function paying(law: Law): void {
  describe('a payment', () => {
    law('is credited once, whatever the number and type of events', async (room) => {
      const order = await room.order();
      const success = 'checkout.session.async_payment_succeeded';
      const deliveries = Array.from({ length: 8 }, (_, at) =>
        room.send(`evt_${at % 2}`, at % 2 === 0 ? PAID : success, session(order)),
      );
      await Promise.all(deliveries);
      await room.send('evt_0', PAID, session(order));
      await room.send('evt_9', 'checkout.session.expired', session(order));
      expect(await room.balance()).toBe(TWENTY);
      expect(await room.payments.get(order.id, 'alice')).toMatchObject({ state: 'paid' });
      expect((await room.outcomes()).toSorted()).toEqual(['booked', 'booked', 'noted']);
      expect(room.troubles).toEqual([]);
    });

    law('is pending until it arrives or fails', async (room) => {
      const [first, second] = [await room.order(), await room.order()];
      for (const order of [first, second]) {
        await room.send(`evt_${order.id}`, PAID, session(order, { payment_status: 'unpaid' }));
        expect((await room.payments.get(order.id, 'alice')).state).toBe('pending');
      }
      expect(await room.balance()).toBe(0n);
      await room.send('evt_1', 'checkout.session.async_payment_failed', session(first));
      await room.send('evt_2', 'checkout.session.async_payment_succeeded', session(second));
      const states = [first, second].map(({ id }) => room.payments.get(id, 'alice'));
      expect((await Promise.all(states)).map(({ state }) => state)).toEqual(['failed', 'paid']);
      expect(await room.balance()).toBe(TWENTY);
    });

    law('is credited when events arrive out of order', async (room) => {
      const order = await room.order();
      await room.send('evt_2', 'checkout.session.async_payment_succeeded', session(order));
      await room.send('evt_1', PAID, session(order, { payment_status: 'unpaid' }));
      await room.send('evt_3', 'checkout.session.async_payment_failed', session(order));
      expect((await room.payments.get(order.id, 'alice')).state).toBe('paid');
      expect(await room.balance()).toBe(TWENTY);
    });

    law('is credited after an event that reported it as expired', async (room) => {
      const order = await room.order();
      await room.send('evt_1', 'checkout.session.expired', session(order));
      expect((await room.payments.get(order.id, 'alice')).state).toBe('expired');
      await room.send('evt_2', PAID, session(order));
      expect(await room.balance()).toBe(TWENTY);
    });
  });
}

function mistrust(law: Law): void {
  describe('an event that is forged or does not match', () => {
    law('is refused unless exactly these bytes were signed recently', async (room) => {
      const order = await room.order();
      const event = { id: 'evt_1', type: PAID, object: session(order) };
      const nowMs = room.clock.nowMs();
      const good = await signedEvent(event, nowMs);
      const altered = await signedEvent(
        { ...event, object: session(order, { amount_total: 1 }) },
        nowMs,
      );
      const forged: Signed[] = [
        { ...good, signature: '' },
        { ...good, signature: 't=1,v1=00' },
        { ...good, body: altered.body },
        await signedEvent(event, nowMs, 'whsec_of_another'),
        // This event is signed with an empty secret. A gateway would accept it if its own secret
        // were empty by mistake.
        { ...good, signature: signedWithNothing(good.body, nowMs) },
        await signedEvent(event, nowMs - 301_000),
      ];
      for (const signed of forged) {
        const failure = await failureOf(room.handleWebhook(signed));
        expect(failure).toMatchObject({ code: 'invalid_value', param: 'stripe-signature' });
      }
      expect([await room.balance(), await room.outcomes()]).toEqual([0n, []]);
      await room.handleWebhook(good);
      expect(await room.balance()).toBe(TWENTY);
    });

    law('is stored and reported without a credit when it differs from the order', async (room) => {
      const others = [
        { amount_total: 1999 },
        { amount_total: 200_000 },
        { currency: 'cny' },
        { amount_total: null },
        { id: 'cs_of_another' },
      ];
      for (const [at, more] of others.entries()) {
        const order = await room.order();
        await room.send(`evt_${at}`, PAID, session(order, more));
        expect((await room.payments.get(order.id, 'alice')).state).toBe('review');
      }
      expect(await room.balance()).toBe(0n);
      expect(await room.outcomes()).toEqual(others.map(() => 'mismatch'));
      expect(room.troubles.map(({ type }) => type)).toEqual(others.map(() => 'payment.mismatch'));
    });

    law('is stored when it names no order, so that it is not retried forever', async (room) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session({ ...order, id: 'top_none' }));
      await room.send('evt_2', PAID, session(order, { client_reference_id: null, metadata: {} }));
      await room.send('evt_3', 'customer.created', { id: 'cus_1' });
      expect(await room.outcomes()).toEqual(['unknown_order', 'unknown_order']);
      expect(room.troubles.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2']);
      expect(await room.balance()).toBe(0n);
    });
  });
}

function reversing(law: Law): void {
  const REFUNDED = 'charge.refunded';
  describe('a reversal at the provider', () => {
    law('is deducted once, in any sequence of events', async (room) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      await room.send('evt_3', REFUNDED, refund(order, 1500));
      await room.send('evt_2', REFUNDED, refund(order, 500));
      await room.send('evt_4', REFUNDED, refund(order, 1500));
      expect(await room.balance()).toBe(5_000_000_000n);
      // The bank disputes the full payment. Because a part was refunded before, only the rest is
      // deducted.
      const both = ['evt_5', 'evt_6'].map((id) => room.send(id, DISPUTED, dispute(order, 2000)));
      await Promise.all(both);
      expect(await room.balance()).toBe(0n);
      expect(room.troubles.length).toBeGreaterThanOrEqual(2);
    });

    law('is deducted as far as the wallet has it, and reported', async (room, { ledger }) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      await ledger.apply([adjust('spent', -18_000_000_000n)]);
      await room.send('evt_2', REFUNDED, refund(order, 2000));
      expect(await room.balance()).toBe(0n);
      expect(await room.orders.reversals(order.id)).toMatchObject([{ taken: 2_000_000_000n }]);
      expect(room.troubles[0]?.detail).toBe(
        'refund of 20.000000000 USD: 2.000000000 was deducted from the wallet.',
      );
    });

    law('is deducted after a payment that is reported later', async (room) => {
      const order = await room.order();
      await room.send('evt_2', REFUNDED, refund(order, 700));
      expect(await room.balance()).toBe(0n);
      await room.send('evt_1', PAID, session(order));
      expect(await room.balance()).toBe(13_000_000_000n);
    });

    law('is deducted once by many nodes at once', async (room) => {
      const order = await room.order();
      await room.send('evt_0', PAID, session(order));
      const cents = [300, 900, 600, 900, 300, 1200];
      const deliveries = cents.map((each, at) =>
        room.send(`evt_r${at}`, REFUNDED, refund(order, each)),
      );
      await Promise.all(deliveries);
      expect(await room.balance()).toBe(8_000_000_000n);
    });
  });
}

function disputing(law: Law): void {
  describe('a dispute', () => {
    law('is deducted after a payment that is reported later', async (room) => {
      const order = await room.order();
      await room.send('evt_2', DISPUTED, dispute(order, 2000));
      expect(room.troubles).toMatchObject([{ type: 'payment.reversed', orderId: order.id }]);
      await room.send('evt_1', PAID, session(order));
      await room.send('evt_2', DISPUTED, dispute(order, 2000));
      expect(await room.balance()).toBe(0n);
      expect((await room.outcomes()).toSorted()).toEqual(['booked', 'reversed']);
    });

    law('is refused, to be sent again, when its payment cannot be read', async (room) => {
      const order = await room.order();
      room.standIn.failure = 403;
      const failure = await failureOf(room.send('evt_2', DISPUTED, dispute(order, 2000)));
      expect(failure).toMatchObject({ code: 'payment_provider_failed' });
      expect([room.troubles, await room.outcomes()]).toEqual([[], []]);
      room.standIn.failure = null;
      await room.send('evt_2', DISPUTED, dispute(order, 2000));
      await room.send('evt_1', PAID, session(order));
      expect(await room.balance()).toBe(0n);
    });

    law('of a known payment is deducted while the provider does not answer', async (room) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      room.standIn.failure = 403;
      await room.send('evt_2', DISPUTED, dispute(order, 500));
      expect(await room.balance()).toBe(15_000_000_000n);
    });

    law('that withdraws no money is only reported', async (room) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      const statuses = ['warning_needs_response', 'warning_under_review', 'prevented'];
      for (const status of statuses) {
        await room.send(`evt_${status}`, DISPUTED, dispute(order, 2000, status));
      }
      expect(await room.balance()).toBe(TWENTY);
      expect(await room.orders.reversals(order.id)).toEqual([]);
      expect((await room.outcomes()).toSorted()).toEqual(['booked', 'noted', 'noted', 'noted']);
      expect(room.troubles).toMatchObject(statuses.map(() => ({ type: 'payment.reversed' })));
      expect(room.troubles[0]?.detail).toBe(
        'A dispute of 20.000000000 USD was reported without a withdrawal: nothing was deducted from the wallet.',
      );
    });

    law('is deducted when its money is withdrawn, once with both events', async (room) => {
      const [asked, disputed] = [await room.order(), await room.order()];
      for (const order of [asked, disputed]) await room.send(order.id, PAID, session(order));
      await room.send('evt_1', DISPUTED, dispute(asked, 2000, 'warning_needs_response'));
      expect(await room.balance()).toBe(2n * TWENTY);
      await room.send('evt_2', WITHDRAWN, dispute(asked, 2000));
      expect(await room.balance()).toBe(TWENTY);
      await room.send('evt_3', WITHDRAWN, dispute(disputed, 500));
      await room.send('evt_4', DISPUTED, dispute(disputed, 500));
      expect(await room.balance()).toBe(15_000_000_000n);
    });

    law('that was won leaves a payment whose refund is reported', async (room) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      await room.send('evt_2', WITHDRAWN, dispute(order, 1800));
      await room.send('evt_3', DISPUTED, dispute(order, 1800));
      expect(room.troubles.length).toBe(1);
      // The operator has credited the won dispute back. Then the payment is refunded.
      await room.send('evt_4', 'charge.refunded', refund(order, 2000));
      expect(room.troubles.map(({ detail }) => detail).slice(1)).toEqual([
        'refund of 2.000000000 USD: 2.000000000 was deducted from the wallet.',
        'refund of 20.000000000 USD in all: 18.000000000 of it was not deducted, because earlier refunds and disputes reach the amount of the payment. If you credited a won dispute back, deduct it by hand.',
      ]);
    });

    law('that was won and is withdrawn again is reported', async (room) => {
      const order = await room.order();
      await room.send('evt_1', PAID, session(order));
      await room.send('evt_2', DISPUTED, dispute(order, 2000));
      for (const sent of [1, 2])
        await room.send(`evt_3.${sent % 1}`, WITHDRAWN, dispute(order, 2000));
      expect([await room.balance(), room.troubles.length]).toEqual([0n, 1]);
      await room.send('evt_4', WITHDRAWN, dispute(order, 2000));
      expect(await room.balance()).toBe(0n);
      expect(room.troubles.at(-1)?.detail).toContain('was withdrawn again: nothing more');
    });

    law('of a payment without an order of this gateway is only reported', async (room) => {
      await room.send('evt_1', DISPUTED, dispute({ id: 'elsewhere' }, 2000));
      expect(await room.outcomes()).toEqual(['unknown_order']);
      expect(room.troubles).toMatchObject([{ type: 'payment.unknown_order' }]);
    });
  });
}

function stores(open: Open): void {
  const name = 'a store that fails at any step has each step done once in the end';
  rule(open, name, async (database) => {
    const store = new FailingStore(database.sql);
    const room = await roomOf(database, store);
    /**
     * For n = 0, 1, 2 and so on: delivers a new event while the store fails after n queries, then
     * delivers it again with a working store. Returns the first n with which no query fails.
     */
    const failEachStep = async (type: string, objectOf: (step: number) => Promise<object>) => {
      for (let step = 0; ; step++) {
        const object = await objectOf(step);
        const id = `evt_${type}_${step}`;
        store.asksLeft = step;
        const isHeard = await room.send(id, type, object).then(
          () => true,
          () => false,
        );
        store.asksLeft = Number.POSITIVE_INFINITY;
        await room.send(id, type, object);
        if (isHeard) return step;
      }
    };
    try {
      const orders: TopUpOrder[] = [];
      const atPayment = await failEachStep(PAID, async () => {
        const order = await room.order();
        orders.push(order);
        return session(order);
      });
      expect(atPayment).toBeGreaterThan(3);
      const paid = TWENTY * BigInt(orders.length);
      expect(await room.balance()).toBe(paid);
      const [order] = orders;
      if (order === undefined) throw new Error('there was no step at all');
      // An event reports the sum of all refunds, so each event adds a refund of one dollar.
      const refunded = async (step: number) => refund(order, (step + 1) * 100);
      const atRefund = await failEachStep('charge.refunded', refunded);
      expect(atRefund).toBeGreaterThan(4);
      expect(await room.balance()).toBe(paid - BigInt(atRefund + 1) * 1_000_000_000n);
    } finally {
      await room.standIn.stop();
    }
  });
}
