/** Money that an administrator puts in a wallet, booked once for its id. */
import { z } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import { type Clock, newId } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { CreditCommand, Ledger, Outcome } from '../../ledger/ledger.ts';
import { formatAmount } from '../../money/amount.ts';
import type { LowBalance } from '../../topups/alerts/low-balance.ts';
import { checked, jsonSchema, NEW_CREDIT } from '../edge/admin-schemas.ts';
import { amount, answerSchema, currency } from '../edge/answer-schema.ts';
import { type AdminCall, idOf, type Route } from '../edge/route.ts';
import { adminRoute } from './admin-route.ts';

const CREATED = 201;

const CREDIT = z
  .strictObject({
    id: z.string(),
    account_id: z.string(),
    amount,
    currency,
    available: amount.meta({ description: 'What the wallet can afford with it.' }),
    already_applied: z.boolean().meta({ description: 'It was booked before, and not again.' }),
  })
  .meta({ id: 'Credit' });

export type AdminCreditDeps = {
  readonly accounts: Pick<Accounts, 'getAccount'>;
  readonly ledger: Pick<Ledger, 'apply'>;
  /** Told of what was booked: a wallet that is filled may be told of again when it runs low. */
  readonly lowBalance: Pick<LowBalance, 'observeRise'>;
  readonly clock: Clock;
};

export const adminCreditRoutes = (deps: AdminCreditDeps): readonly Route[] => [
  adminRoute(
    'POST',
    '/accounts/:id/credits',
    {
      summary: 'Put money in a wallet, once for each id',
      request: jsonSchema(NEW_CREDIT),
      response: answerSchema(CREDIT),
      statuses: [200, CREATED],
    },
    (call) => creditAccount(deps, call),
  ),
];

async function creditAccount(
  { accounts, ledger, lowBalance, clock }: AdminCreditDeps,
  call: AdminCall,
): Promise<Response> {
  const body = checked(NEW_CREDIT, await call.readJson());
  const account = await accounts.getAccount(idOf(call));
  const command: CreditCommand = {
    kind: 'credit',
    id: body.id ?? newId(clock, 'crd'),
    accountId: account.id,
    currency: body.currency,
    amount: body.amount,
    source: 'top_up',
    reason: withReference(body.reason, body.reference),
    actor: call.actor,
    atMs: clock.nowMs(),
  };
  const [outcome] = await ledger.apply([command]);
  if (outcome?.status === 'applied') {
    lowBalance.observeRise(account.id, command.currency, outcome.result.available);
  }
  return credited(command, outcome);
}

/** The books keep one text: why, and what it is called elsewhere. */
const withReference = (reason: string, reference: string | undefined): string =>
  reference === undefined ? reason : `${reason} (reference: ${reference})`;

function credited(command: CreditCommand, outcome: Outcome | undefined): Response {
  switch (outcome?.status) {
    case 'applied':
    case 'already_applied':
      return Response.json(
        {
          id: command.id,
          account_id: command.accountId,
          amount: formatAmount(outcome.result.amount),
          currency: command.currency,
          available: formatAmount(outcome.result.available),
          already_applied: outcome.status === 'already_applied',
        } satisfies z.infer<typeof CREDIT>,
        { status: outcome.status === 'applied' ? CREATED : 200 },
      );
    case 'id_reused':
      throw new GatewayError(
        'conflict',
        'id names another credit already. Send a new id, or the first credit unchanged.',
        { param: 'id' },
      );
    default:
      throw new GatewayError('internal_error', 'The credit was not booked.', {
        cause: new Error(`The ledger answered a credit with ${outcome?.status ?? 'nothing'}.`),
      });
  }
}
