/**
 * The commands `people list|limit|reset-link|setup-link`. They also work for an operator who cannot
 * sign in to the console.
 */
import type { z } from 'zod';
import { MEMBER, MEMBER_LIMITS, ONE_TIME_LINK } from '../http/console/people-schemas.ts';
import type { AdminCall, AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import { type Command, printAnswer } from './command.ts';
import { limitsOf, limitsText, MEMBER_LIMIT_OPTIONS } from './limit-options.ts';
import { PAGE_OPTIONS, pageCommand, pageOf } from './lists.ts';

async function personOf(client: AdminClient, email: string): Promise<z.infer<typeof MEMBER>> {
  const path = `/people?${new URLSearchParams({ email })}`;
  const { data } = await client.call({ method: 'GET', path }, pageOf(MEMBER.loose()));
  const [person] = data;
  if (person !== undefined) return person;
  throw new CliError(
    'failed',
    `There is no person with the address ${email}. \`modelgate people list\` shows all people; \`modelgate people setup-link\` creates the first administrator.`,
  );
}

/** Shows or sets the spending limits of a person, who may have been removed. */
const LIMIT: Command = {
  words: 'people limit',
  summary:
    'set or show the spending limits on all API keys that a person created; `none` removes a limit',
  args: ['EMAIL|ID'],
  options: {
    'account ID': 'in this account (default: their main account)',
    ...MEMBER_LIMIT_OPTIONS,
  },
  run: async ({ connect, print }, input) => {
    const body = limitsOf(input);
    const client = await connect();
    const who = input.arg(0);
    const id = who.includes('@') ? (await personOf(client, who)).id : encodeURIComponent(who);
    const account = input.text('account');
    const query = account === null ? '' : `?${new URLSearchParams({ account_id: account })}`;
    const path = `/people/${id}/limits${query}`;
    const call: AdminCall =
      'limits' in body ? { method: 'PUT', path, body } : { method: 'GET', path };
    const budget = await client.call(call, MEMBER_LIMITS.loose());
    print(budget, () => `${budget.id} (${budget.name ?? 'removed'})\n\n${limitsText(budget)}`);
    return 0;
  },
};

export const PEOPLE_COMMANDS: readonly Command[] = [
  pageCommand({
    words: 'people list',
    summary: 'list the people who can sign in to the console, oldest first',
    options: {
      'account ID': 'only this account',
      'email EMAIL': 'only this address',
      ...PAGE_OPTIONS,
    },
    path: '/people',
    item: MEMBER.loose(),
    header: ['id', 'email', 'name', 'role', 'account', '2FA', 'last seen'],
    row: (it) => [
      it.id,
      it.email,
      it.name,
      it.role,
      it.other_accounts ? `${it.account.name} (+${it.other_accounts})` : it.account.name,
      it.totp_enabled ? 'yes' : 'no',
      it.last_seen_at ?? 'no session',
    ],
  }),
  LIMIT,
  {
    words: 'people reset-link',
    summary: 'create a password reset link and show it (only this once)',
    args: ['EMAIL'],
    options: { 'clear-totp': 'also remove the authenticator and the passkeys, if they were lost' },
    run: async ({ connect, print }, input) => {
      const client = await connect();
      const { id, email } = await personOf(client, input.arg(0));
      if (input.has('clear-totp')) {
        await client.call({ method: 'DELETE', path: `/people/${id}/totp` }, MEMBER.loose());
      }
      const call = { method: 'POST', path: `/people/${id}/reset-link` } as const;
      const link = await client.call(call, ONE_TIME_LINK.loose());
      print(link, () =>
        [
          link.url,
          '',
          `Give this link to ${email}. Anyone who has the link can set the password once, until ${link.expires_at}. The link is not shown again.`,
        ].join('\n'),
      );
      return 0;
    },
  },
  {
    words: 'people setup-link',
    summary:
      'create a one-time link for creating the first administrator; earlier links are revoked',
    run: (context) =>
      printAnswer(
        context,
        { method: 'POST', path: '/setup-link' },
        ONE_TIME_LINK.loose(),
        (link) => `${link.url}\n\nIt works once, until ${link.expires_at}.`,
      ),
  },
];
