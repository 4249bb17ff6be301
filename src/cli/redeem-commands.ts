/** The commands `redeem create|list|show|cancel`. */
import type { z } from 'zod';
import { BATCH, CREATED_BATCH } from '../http/admin/admin-redeem-routes.ts';
import { CliError } from './cli-error.ts';
import { type Command, printAnswer } from './command.ts';
import { EXPIRES, expiryOf } from './expiry.ts';
import { pageCommand } from './lists.ts';

type Batch = z.infer<typeof BATCH>;

const pathOf = (id: string): string => `/redeem-batches/${encodeURIComponent(id)}`;

function worth({ count, amount, currency, expires_at: expires }: Batch): string {
  const end = expires === null ? 'never expire' : `expire ${expires}`;
  return `${count} codes of ${amount} ${currency} each, which ${end}.`;
}

function state({ count, used, cancelled }: Batch): string {
  return `${used} used, ${cancelled} canceled, ${count - used - cancelled} unused.`;
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError(
    'usage',
    `COUNT must be a whole number above zero, not ${JSON.stringify(text)}.`,
  );
}

export const REDEEM_COMMANDS: readonly Command[] = [
  {
    words: 'redeem create',
    summary:
      'create redeem codes and show them (only this once), such as `redeem create 100 20 USD`',
    args: ['COUNT', 'AMOUNT', 'CURRENCY'],
    options: { 'reason TEXT': 'the reason, for the ledger', ...EXPIRES },
    required: ['reason'],
    run: (context, input) => {
      const body = {
        count: countOf(input.arg(0)),
        amount: input.arg(1),
        currency: input.arg(2).toUpperCase(),
        reason: input.text('reason') ?? '',
        expires_at: expiryOf(input, context.clock.nowMs()),
      };
      const call = { method: 'POST', path: '/redeem-batches', body } as const;
      return printAnswer(context, call, CREATED_BATCH.loose(), (batch) =>
        [
          ...batch.codes,
          '',
          `Save the codes now: they are not shown again. ${worth(batch)} The batch has the ID ${batch.id}.`,
        ].join('\n'),
      );
    },
  },
  pageCommand({
    words: 'redeem list',
    summary: 'list batches of redeem codes, oldest first',
    path: '/redeem-batches',
    item: BATCH.loose(),
    header: ['id', 'amount', 'codes', 'used', 'canceled', 'expires', 'reason'],
    row: (it) => [
      it.id,
      `${it.amount} ${it.currency}`,
      String(it.count),
      String(it.used),
      String(it.cancelled),
      it.expires_at ?? 'never',
      it.reason,
    ],
  }),
  {
    words: 'redeem show',
    summary: 'show how many codes of a batch are redeemed',
    args: ['BATCH_ID'],
    run: (context, input) =>
      printAnswer(
        context,
        { method: 'GET', path: pathOf(input.arg(0)) },
        BATCH.loose(),
        (batch) => `${batch.id}: ${worth(batch)} ${state(batch)}`,
      ),
  },
  {
    words: 'redeem cancel',
    summary: 'cancel the unredeemed codes of a batch',
    args: ['BATCH_ID'],
    run: (context, input) =>
      printAnswer(
        context,
        { method: 'DELETE', path: pathOf(input.arg(0)) },
        BATCH.loose(),
        (batch) => `Canceled ${batch.id}: ${state(batch)}`,
      ),
  },
];
