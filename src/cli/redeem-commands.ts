/** `redeem create|list|show|cancel`. */
import { z } from 'zod';
import { CliError } from './cli-error.ts';
import type { Command } from './command.ts';
import { EXPIRES, expiryOf } from './expiry.ts';
import { PAGE_OPTIONS, pageNote, pageQuery } from './paging.ts';
import { table } from './table.ts';

const BATCH = z.looseObject({
  id: z.string(),
  currency: z.string(),
  amount: z.string(),
  count: z.number(),
  used: z.number(),
  cancelled: z.number(),
  reason: z.string(),
  expires_at: z.string().nullable(),
});
const BATCH_PAGE = z.looseObject({ data: z.array(BATCH), next: z.string().nullable() });
const CREATED_BATCH = BATCH.extend({ codes: z.array(z.string()) });

const redeemCreate: Command = {
  words: 'redeem create',
  summary: 'make redeem codes and show them, this once, such as `redeem create 100 20 USD`',
  args: ['COUNT', 'AMOUNT', 'CURRENCY'],
  options: [
    { name: 'reason', value: 'TEXT', summary: 'what for, for the books', required: true },
    EXPIRES,
  ],
  run: async ({ connect, print, clock }, input) => {
    const body = {
      count: countOf(input.arg(0)),
      amount: input.arg(1),
      currency: input.arg(2).toUpperCase(),
      reason: input.text('reason') ?? '',
      expires_at: expiryOf(input, clock.nowMs()),
    };
    const client = await connect();
    const batch = await client.call(
      { method: 'POST', path: '/redeem-batches', body },
      CREATED_BATCH,
    );
    print(batch, () =>
      [
        ...batch.codes,
        '',
        `Keep them now: they are not shown again. ${worth(batch)} Their batch is ${batch.id}.`,
      ].join('\n'),
    );
    return 0;
  },
};

const redeemList: Command = {
  words: 'redeem list',
  summary: 'list batches of redeem codes, oldest first',
  args: [],
  options: PAGE_OPTIONS,
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const path = `/redeem-batches?${pageQuery(input)}`;
    const page = await client.call({ method: 'GET', path }, BATCH_PAGE);
    print(page, () => {
      const header = ['id', 'amount', 'codes', 'used', 'cancelled', 'expires', 'reason'];
      const rows = page.data.map((it) => [
        it.id,
        `${it.amount} ${it.currency}`,
        String(it.count),
        String(it.used),
        String(it.cancelled),
        it.expires_at ?? 'never',
        it.reason,
      ]);
      return table(header, rows) + pageNote(page.next);
    });
    return 0;
  },
};

const redeemShow: Command = {
  words: 'redeem show',
  summary: 'show how many codes of a batch are used',
  args: ['BATCH_ID'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const batch = await client.call({ method: 'GET', path: pathOf(input.arg(0)) }, BATCH);
    print(batch, () => `${batch.id}: ${worth(batch)} ${state(batch)}`);
    return 0;
  },
};

const redeemCancel: Command = {
  words: 'redeem cancel',
  summary: 'cancel the codes of a batch that nobody has redeemed',
  args: ['BATCH_ID'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const batch = await client.call({ method: 'DELETE', path: pathOf(input.arg(0)) }, BATCH);
    print(batch, () => `Cancelled ${batch.id}: ${state(batch)}`);
    return 0;
  },
};

export const REDEEM_COMMANDS: readonly Command[] = [
  redeemCreate,
  redeemList,
  redeemShow,
  redeemCancel,
];

type Batch = z.infer<typeof BATCH>;

const pathOf = (id: string): string => `/redeem-batches/${encodeURIComponent(id)}`;

function worth({ count, amount, currency, expires_at: expires }: Batch): string {
  const end = expires === null ? 'never expire' : `expire ${expires}`;
  return `${count} codes of ${amount} ${currency} each, which ${end}.`;
}

function state({ count, used, cancelled }: Batch): string {
  return `${used} used, ${cancelled} cancelled, ${count - used - cancelled} open.`;
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError(
    'usage',
    `COUNT must be a whole number above zero, not ${JSON.stringify(text)}.`,
  );
}
