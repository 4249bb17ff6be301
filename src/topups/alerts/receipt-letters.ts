/**
 * Sends a payment confirmation by email to the owners of an account, one for each card payment and
 * each redeemed code.
 */
import type { Command } from '../../ledger/ledger.ts';
import { receiptWords } from '../../mail/letters.ts';
import { formatAmount } from '../../money/amount.ts';
import type { OwnerMail } from '../../people/mail/owner-mail.ts';
import { bonusIdOf } from '../bonuses.ts';

export type ReceiptLettersDeps = {
  readonly ownerMail: Pick<OwnerMail, 'send'>;
  readonly publicUrl: string;
  readonly onFailure: (thrown: unknown) => void;
};

/** The number of characters of a redeem code's hash that the email shows as its reference. */
const REFERENCE_CHARS = 12;

export class ReceiptLetters {
  readonly #deps: ReceiptLettersDeps;
  readonly #running = new Set<Promise<void>>();

  constructor(deps: ReceiptLettersDeps) {
    this.#deps = deps;
  }

  /**
   * Queues the confirmation email if the command credits a card payment or a redeemed code. Queues
   * it even if the credit was applied before. Ignores any other command. Returns at once.
   * @param batch the batch that contains the credit and its bonus, if any.
   */
  observe(command: Command, batch: readonly Command[]): void {
    if (command.kind !== 'credit') return;
    const { id, accountId, source, currency, atMs } = command;
    if (source !== 'card_payment' && source !== 'redeem_code') return;
    const { ownerMail, publicUrl, onFailure } = this.#deps;
    const extra = batch.find((each) => each.kind === 'credit' && each.id === bonusIdOf(command));
    const bonus = extra?.kind === 'credit' ? formatAmount(extra.amount) : null;
    const paid = { amount: formatAmount(command.amount), bonus, currency, source, atMs };
    const [, name = ''] = id.split('_', 2);
    const reference = source === 'redeem_code' ? name.slice(0, REFERENCE_CHARS) : id.slice(8);
    const running = ownerMail
      .send(accountId, 'receipt', `receipt:${id}`, (account) =>
        receiptWords({ account, reference, ...paid }, `${publicUrl}/console/billing`),
      )
      .catch(onFailure)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when all emails are queued. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
