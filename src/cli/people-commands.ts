/** `people list|reset-link|setup-link`: for the operator who is locked out of the console. */
import { z } from 'zod';
import type { AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import type { Command } from './command.ts';
import { PAGE_OPTIONS, pageNote, pageQuery } from './paging.ts';
import { table } from './table.ts';

const PERSON = z.looseObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.string(),
  account: z.looseObject({ id: z.string(), name: z.string() }),
  totp_enabled: z.boolean(),
  last_seen_at: z.string().nullable(),
});
const PERSON_PAGE = z.looseObject({ data: z.array(PERSON), next: z.string().nullable() });
const LINK = z.looseObject({ url: z.string(), expires_at: z.string() });

const peopleList: Command = {
  words: 'people list',
  summary: 'list the people who may sign in to the console, those who came first, first',
  args: [],
  options: [
    { name: 'account', value: 'ID', summary: 'of this account only' },
    { name: 'email', value: 'EMAIL', summary: 'with this address only' },
    ...PAGE_OPTIONS,
  ],
  run: async ({ connect, print }, input) => {
    const query = pageQuery(input);
    for (const [option, field] of [
      ['account', 'account_id'],
      ['email', 'email'],
    ] as const) {
      const value = input.text(option);
      if (value !== null) query.set(field, value);
    }
    const client = await connect();
    const page = await client.call({ method: 'GET', path: `/people?${query}` }, PERSON_PAGE);
    print(page, () => {
      const header = ['id', 'email', 'name', 'role', 'account', 'second step', 'last seen'];
      const rows = page.data.map((it) => [
        it.id,
        it.email,
        it.name,
        it.role,
        it.account.name,
        it.totp_enabled ? 'yes' : 'no',
        it.last_seen_at ?? 'not signed in',
      ]);
      return table(header, rows) + pageNote(page.next);
    });
    return 0;
  },
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
      await client.call({ method: 'DELETE', path: `/people/${id}/totp` }, PERSON);
    }
    const link = await client.call({ method: 'POST', path: `/people/${id}/reset-link` }, LINK);
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
  run: async ({ connect, print }) => {
    const client = await connect();
    const link = await client.call({ method: 'POST', path: '/setup-link' }, LINK);
    print(link, () => `${link.url}\n\nIt works once, until ${link.expires_at}.`);
    return 0;
  },
};

async function personOf(client: AdminClient, email: string): Promise<z.infer<typeof PERSON>> {
  const path = `/people?${new URLSearchParams({ email })}`;
  const { data } = await client.call({ method: 'GET', path }, PERSON_PAGE);
  const [person] = data;
  if (person !== undefined) return person;
  throw new CliError(
    'failed',
    `Nobody has the address ${email}. \`modelgate people list\` shows who is there; the first administrator comes by \`modelgate people setup-link\`.`,
  );
}

export const PEOPLE_COMMANDS: readonly Command[] = [peopleList, resetLink, setupLink];
