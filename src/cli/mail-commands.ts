/** The commands `mail list|test`. */
import type { z } from 'zod';
import { MAIL } from '../http/admin/admin-mail-routes.ts';
import { CliError } from './cli-error.ts';
import type { Command } from './command.ts';
import { PAGE_OPTIONS, pageCommand } from './lists.ts';

type Mail = z.infer<typeof MAIL>;

const answered = ({ answer }: Mail): string => (answer === '' ? '' : ` Answer: ${answer}`);

export const MAIL_COMMANDS: readonly Command[] = [
  pageCommand({
    words: 'mail list',
    summary: 'the delivery log of email, newest first',
    options: {
      'state STATE': 'only emails in this state: queued, sent or failed',
      'account ID': 'only emails about this account',
      ...PAGE_OPTIONS,
    },
    path: '/mail',
    item: MAIL.loose(),
    header: ['created', 'kind', 'to', 'state', 'attempts', 'answer'],
    row: (it) => [it.created_at, it.kind, it.to, it.state, String(it.attempts), it.answer],
  }),
  {
    words: 'mail test',
    summary: 'send a test email and show what the mail server answered',
    args: ['ADDRESS'],
    run: async (context, input) => {
      const client = await context.connect();
      const body = { to: input.arg(0) };
      const mail = await client.call({ method: 'POST', path: '/mail/test', body }, MAIL.loose());
      if (mail.state !== 'sent') {
        throw new CliError('failed', `The email to ${mail.to} was not sent.${answered(mail)}`);
      }
      context.print(mail, () => `The email to ${mail.to} was sent.${answered(mail)}`);
      return 0;
    },
  },
];
