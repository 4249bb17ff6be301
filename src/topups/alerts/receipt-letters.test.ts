import { expect, test } from 'bun:test';
import type { CreditCommand } from '../../ledger/ledger.ts';
import type { Said } from '../../mail/mailer.ts';
import { nano } from '../../money/amount.ts';
import { ReceiptLetters } from './receipt-letters.ts';

const credit = (id: string, amount: bigint, source: CreditCommand['source']): CreditCommand => ({
  ...{ kind: 'credit', id, accountId: 'acc_1', currency: 'USD', amount: nano(amount), source },
  ...{ reason: 'r', actor: 'system', atMs: 0 },
});
const PAYMENT = credit('payment_top_1', 100_000_000_000n, 'card_payment');
const BONUS = credit('bonus_payment_top_1', 5_000_000_000n, 'bonus');

/** Returns the event and the text of each email that a batch of credits causes. */
async function lettersFor(batch: readonly CreditCommand[]) {
  const sent: { event: string; text: string }[] = [];
  const letters = new ReceiptLetters({
    ownerMail: {
      send: async (_account, _kind, event: string, said: (account: string) => Said) => {
        sent.push({ event, text: JSON.stringify(said('Acme')('Gate')) });
      },
    },
    publicUrl: 'http://gate',
    onFailure: (thrown) => {
      throw thrown;
    },
  });
  for (const command of batch) letters.observe(command, batch);
  await letters.settled();
  return sent;
}

test('the receipt of a payment names the bonus that was credited with it', async () => {
  const [letter, ...others] = await lettersFor([PAYMENT, BONUS]);
  expect([letter?.event, others]).toEqual(['receipt:payment_top_1', []]);
  for (const part of [
    '100.00 USD and a bonus of 5.00 USD were added to the balance of “Acme”.',
    '["Bonus","5.00 USD"]',
    '100.00 USD，并获赠 5.00 USD',
    '["赠送","5.00 USD"]',
  ])
    expect(letter?.text).toContain(part);
});

test('the receipt of a payment without a bonus names none', async () => {
  const [letter] = await lettersFor([PAYMENT]);
  expect(letter?.text).toContain('100.00 USD were added to the balance of “Acme”.');
  expect(letter?.text).not.toContain('onus');
});
