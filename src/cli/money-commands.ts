/**
 * The commands `account credit|adjust|exchange|credit-limit` and `request refund`. A command with
 * the same `--id` is booked only once, even if it is repeated.
 */
import * as z from 'zod';
import { newId } from '../clock.ts';
import { APPLIED, RATE } from '../http/admin/admin-money-routes.ts';
import { CliError } from './cli-error.ts';
import type { Command, CommandContext, Input, Options } from './command.ts';

const OPTIONS: Options = {
  'reason TEXT': 'the reason, for the ledger',
  'id ID': 'an id for the command; a repeated command with the same id is not booked again',
};
const BOOKED = z.looseObject({ ...APPLIED, rate: RATE.optional() });

const accountPath = (input: Input, what: string): string =>
  `/accounts/${encodeURIComponent(input.arg(0))}/${what}`;

/**
 * The verb in the output of a command. The key is the prefix of the ids that the command generates.
 */
const VERBS = {
  crd: 'booked',
  adj: 'booked',
  exc: 'bought',
  lim: 'set the credit limit to',
  ref: 'refunded',
} as const;

const capitalized = (verb: string): string => verb.charAt(0).toUpperCase() + verb.slice(1);

async function book(
  { connect, print, clock }: CommandContext,
  input: Input,
  prefix: keyof typeof VERBS,
  path: string,
  what: Readonly<Record<string, string | null>>,
): Promise<number> {
  const client = await connect();
  const id = input.text('id') ?? newId(clock, prefix);
  const body = { ...what, reason: input.text('reason') ?? '', id };
  const booked = await client.call({ method: 'POST', path, body }, BOOKED).catch((thrown) => {
    if (!(thrown instanceof CliError) || thrown.fault !== 'unanswered') throw thrown;
    throw new CliError('unanswered', `${thrown.message}\nTo repeat it safely, add --id ${id}`, {
      cause: thrown,
    });
  });
  print(booked, () => {
    const { amount, currency, available, rate } = booked;
    const verb = VERBS[prefix];
    const done = booked.already_applied ? `Already ${verb}` : capitalized(verb);
    const at = rate === undefined ? '' : ` at ${rate.rate} (${rate.id})`;
    return `${done} ${amount} ${currency}${at} as ${booked.id}. Available: ${available} ${currency}.`;
  });
  return 0;
}

export const MONEY_COMMANDS: readonly Command[] = [
  {
    words: 'account credit',
    summary: 'credit a wallet, such as `account credit acc_... 100 USD --reason "invoice 7"`',
    args: ['ACCOUNT', 'AMOUNT', 'CURRENCY'],
    options: OPTIONS,
    required: ['reason'],
    run: (context, input) =>
      book(context, input, 'crd', accountPath(input, 'credits'), {
        amount: input.arg(1),
        currency: input.arg(2).toUpperCase(),
      }),
  },
  {
    words: 'account adjust',
    summary:
      'adjust a wallet by a positive or negative amount, such as `account adjust acc_... USD --amount=-2.50 --reason "booked twice"`',
    args: ['ACCOUNT', 'CURRENCY'],
    options: { 'amount AMOUNT': 'the amount to add; a negative amount is debited', ...OPTIONS },
    required: ['amount', 'reason'],
    run: (context, input) =>
      book(context, input, 'adj', accountPath(input, 'adjustments'), {
        currency: input.arg(1).toUpperCase(),
        amount: input.text('amount'),
      }),
  },
  {
    words: 'account exchange',
    summary: 'buy AMOUNT of the currency TO with the currency FROM, at the current rate',
    args: ['ACCOUNT', 'FROM', 'TO', 'AMOUNT'],
    options: OPTIONS,
    required: ['reason'],
    run: (context, input) =>
      book(context, input, 'exc', accountPath(input, 'exchanges'), {
        from: input.arg(1).toUpperCase(),
        to: input.arg(2).toUpperCase(),
        amount: input.arg(3),
      }),
  },
  {
    words: 'account credit-limit',
    summary: 'set how far below zero a wallet may go; 0 removes the credit limit',
    args: ['ACCOUNT', 'AMOUNT', 'CURRENCY'],
    options: OPTIONS,
    required: ['reason'],
    run: (context, input) =>
      book(context, input, 'lim', accountPath(input, 'credit-limit'), {
        currency: input.arg(2).toUpperCase(),
        amount: input.arg(1),
      }),
  },
  {
    words: 'request refund',
    summary: 'refund a request: an amount, or `all` of the remaining charge',
    args: ['REQUEST_ID', 'AMOUNT'],
    options: OPTIONS,
    required: ['reason'],
    run: (context, input) =>
      book(context, input, 'ref', `/requests/${encodeURIComponent(input.arg(0))}/refund`, {
        amount: input.arg(1),
      }),
  },
];
