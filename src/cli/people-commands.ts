/** `people list|reset-link|setup-link`: for the operator who is locked out of the console. */
import type { z } from 'zod';
import { MEMBER, ONE_TIME_LINK } from '../http/console/people-schemas.ts';
import type { AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import { type Command, type CommandOption, printAnswer } from './command.ts';
import { PAGE_OPTIONS, pageOf, printPage, queryOf } from './lists.ts';

const LIST_OPTIONS: readonly CommandOption[] = [
  { name: 'account', value: 'ID', summary: 'of this account only' },
  { name: 'email', value: 'EMAIL', summary: 'with this address only' },
  ...PAGE_OPTIONS,
];

const peopleList: Command = {
  words: 'people list',
  summary: 'list the people who may sign in to the console, those who came first, first',
  args: [],
  options: LIST_OPTIONS,
  run: (context, input) =>
    printPage(
      context,
      `/people?${queryOf(input, LIST_OPTIONS)}`,
      MEMBER.loose(),
      ['id', 'email', 'name', 'role', 'account', 'second step', 'last seen'],
      (it) => [
        it.id,
        it.email,
        it.name,
        it.role,
        it.account.name,
        it.totp_enabled ? 'yes' : 'no',
        it.last_seen_at ?? 'not signed in',
      ],
    ),
};

const resetLink: Command = {
  words: 'people reset-link',
  summary: 'make a link by which somebody sets a new password, and show it, this once',
  args: ['EMAIL'],
  options: [
    {
      name: 'clear-totp',
      value: null,
      summary: 'take their authenticator away too: it was lost with its recovery codes',
    },
  ],
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
        `Give it to ${email}: whoever has it sets their password, once, until ${link.expires_at}. It is not shown again.`,
      ].join('\n'),
    );
    return 0;
  },
};

const setupLink: Command = {
  words: 'people setup-link',
  summary: 'make the link that makes the first administrator; those before it no longer work',
  args: [],
  options: [],
  run: (context) =>
    printAnswer(
      context,
      { method: 'POST', path: '/setup-link' },
      ONE_TIME_LINK.loose(),
      (link) => `${link.url}\n\nIt works once, until ${link.expires_at}.`,
    ),
};

async function personOf(client: AdminClient, email: string): Promise<z.infer<typeof MEMBER>> {
  const path = `/people?${new URLSearchParams({ email })}`;
  const { data } = await client.call({ method: 'GET', path }, pageOf(MEMBER.loose()));
  const [person] = data;
  if (person !== undefined) return person;
  throw new CliError(
    'failed',
    `Nobody has the address ${email}. \`modelgate people list\` shows who is there; the first administrator comes by \`modelgate people setup-link\`.`,
  );
}

export const PEOPLE_COMMANDS: readonly Command[] = [peopleList, resetLink, setupLink];
