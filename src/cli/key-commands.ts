/** `key create|list|show|update|rotate|disable|enable|revoke|generate`. */
import { z } from 'zod';
import { generateKey } from '../accounts/api-key.ts';
import { ACCOUNT_PAGE } from './account-commands.ts';
import type { AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import type { Command, Input } from './command.ts';
import { EXPIRES, EXPIRES_OR_NONE, expiryChange, expiryNote, expiryOf } from './expiry.ts';
import { LIMIT_OPTIONS, LIMITED, limitsOf, limitsText } from './limit-options.ts';
import { PAGE_OPTIONS, pageNote, pageQuery } from './paging.ts';
import { table } from './table.ts';

const KEY = z.looseObject({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  masked: z.string(),
  status: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  previous_secret_until: z.string().nullable(),
  ...LIMITED,
});
const KEY_PAGE = z.looseObject({ data: z.array(KEY), next: z.string().nullable() });
const CREATED_KEY = KEY.extend({ secret: z.string() });

const keyCreate: Command = {
  words: 'key create',
  summary: 'create an API key and show it, this once',
  args: ['NAME'],
  options: [
    {
      name: 'account',
      value: 'ID',
      summary: 'whose key; may be left out while there is one account',
    },
    EXPIRES,
    ...LIMIT_OPTIONS,
  ],
  run: async ({ connect, print, clock }, input) => {
    const limits = limitsOf(input);
    const expiresAt = expiryOf(input, clock.nowMs());
    const client = await connect();
    const account = input.text('account') ?? (await onlyAccount(client));
    const body = { account_id: account, name: input.arg(0), expires_at: expiresAt, ...limits };
    const key = await client.call({ method: 'POST', path: '/keys', body }, CREATED_KEY);
    print(key, () =>
      [
        key.secret,
        '',
        `Keep it now: it is not shown again. Its id is ${key.id}, of account ${key.account_id}; it ${expiryNote(key.expires_at)}.`,
      ].join('\n'),
    );
    return 0;
  },
};

const keyList: Command = {
  words: 'key list',
  summary: 'list API keys, oldest first',
  args: [],
  options: [{ name: 'account', value: 'ID', summary: 'of this account only' }, ...PAGE_OPTIONS],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const query = pageQuery(input);
    const account = input.text('account');
    if (account !== null) query.set('account_id', account);
    const page = await client.call({ method: 'GET', path: `/keys?${query}` }, KEY_PAGE);
    print(page, () => {
      const header = ['id', 'name', 'key', 'status', 'last used', 'expires', 'account'];
      const rows = page.data.map((it) => [
        it.id,
        it.name,
        it.masked,
        it.status,
        it.last_used_at ?? 'never',
        it.expires_at ?? 'never',
        it.account_id,
      ]);
      return table(header, rows) + pageNote(page.next);
    });
    return 0;
  },
};

function showKey(key: z.infer<typeof KEY>): string {
  const { id, name, masked, status, previous_secret_until: until } = key;
  const before = until === null ? '' : ` The secret before this one works until ${until}.`;
  return `${id} (${name}, ${masked}): ${status}, ${expiryNote(key.expires_at)}.${before}\n\n${limitsText(key)}`;
}

const keyShow: Command = {
  words: 'key show',
  summary: 'show an API key, its limits and what they leave',
  args: ['KEY_ID'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const key = await client.call({ method: 'GET', path: keyPath(input) }, KEY);
    print(key, () => showKey(key));
    return 0;
  },
};

const keyUpdate: Command = {
  words: 'key update',
  summary: 'change an API key; what is left out stays',
  args: ['KEY_ID'],
  options: [
    { name: 'name', value: 'TEXT', summary: 'what it is called' },
    EXPIRES_OR_NONE,
    ...LIMIT_OPTIONS,
  ],
  run: async ({ connect, print, clock }, input) => {
    const name = input.text('name');
    const body = {
      ...(name === null ? {} : { name }),
      ...expiryChange(input, clock.nowMs()),
      ...limitsOf(input),
    };
    const client = await connect();
    const key = await client.call({ method: 'PATCH', path: keyPath(input), body }, KEY);
    print(key, () => showKey(key));
    return 0;
  },
};

const keyRotate: Command = {
  words: 'key rotate',
  summary: 'give an API key a new secret and show it, this once',
  args: ['KEY_ID'],
  options: [
    {
      name: 'overlap',
      value: 'TIME',
      summary: 'how long the old one still works (24h; up to 30d); 0s ends every old one now',
    },
  ],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const overlap = input.text('overlap');
    const body = overlap === null ? {} : { overlap };
    const path = `${keyPath(input)}/rotate`;
    const key = await client.call({ method: 'POST', path, body }, CREATED_KEY);
    print(key, () => {
      const old =
        key.previous_secret_until === null
          ? 'The old one has ended.'
          : `The old one works until ${key.previous_secret_until}.`;
      return `${key.secret}\n\nKeep it now: it is not shown again. ${old}`;
    });
    return 0;
  },
};

const keyPath = (input: Input): string => `/keys/${encodeURIComponent(input.arg(0))}`;

/** Out of use for a while, and back into it. */
const keyTurn = (word: 'disable' | 'enable', summary: string): Command => ({
  words: `key ${word}`,
  summary,
  args: ['KEY_ID'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const key = await client.call({ method: 'POST', path: `${keyPath(input)}/${word}` }, KEY);
    print(key, () => `${key.id} (${key.name}, ${key.masked}) is ${key.status}.`);
    return 0;
  },
});
const keyDisable = keyTurn('disable', 'take an API key out of use until it is enabled again');
const keyEnable = keyTurn('enable', 'put an API key that is disabled back into use');

const keyRevoke: Command = {
  words: 'key revoke',
  summary: 'revoke an API key for good, by its id',
  args: ['KEY_ID'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const key = await client.call({ method: 'DELETE', path: keyPath(input) }, KEY);
    print(key, () => `Revoked ${key.id} (${key.name}, ${key.masked}).`);
    return 0;
  },
};

const keyGenerate: Command = {
  words: 'key generate',
  summary: 'print a well-formed key, for MODELGATE_INIT_KEY; needs no server',
  args: [],
  options: [],
  run: async ({ print, clock }) => {
    const secret = generateKey(clock).reveal();
    print({ secret }, () => secret);
    return 0;
  },
};

export const KEY_COMMANDS: readonly Command[] = [
  keyCreate,
  keyList,
  keyShow,
  keyUpdate,
  keyRotate,
  keyDisable,
  keyEnable,
  keyRevoke,
  keyGenerate,
];

async function onlyAccount(client: AdminClient): Promise<string> {
  const call = { method: 'GET', path: '/accounts?limit=2' } as const;
  const [account, second] = (await client.call(call, ACCOUNT_PAGE)).data;
  if (account !== undefined && second === undefined) return account.id;
  throw new CliError(
    'usage',
    account === undefined
      ? 'There is no account yet. Create one with `modelgate account create NAME`.'
      : 'There are several accounts. Say whose key with --account ID; `modelgate account list` shows them.',
  );
}
