/** The commands `key create|list|show|update|rotate|disable|enable|revoke|generate`. */
import type { z } from 'zod';
import { generateKey } from '../accounts/api-key.ts';
import { SCOPES } from '../accounts/scopes.ts';
import { ACCOUNT, CREATED_KEY, KEY } from '../http/caller/account-body.ts';
import type { AdminCall, AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import {
  type Command,
  type CommandContext,
  type Input,
  type Options,
  printAnswer,
} from './command.ts';
import { EXPIRES, EXPIRES_OR_NONE, expiryChange, expiryNote, expiryOf } from './expiry.ts';
import { LIMIT_OPTIONS, limitsOf, limitsText, unsoldNote } from './limit-options.ts';
import { PAGE_OPTIONS, pageCommand, pageOf } from './lists.ts';

const SCOPE: Options = {
  'scope NAME,NAME': `what the key may do: ${SCOPES.join(', ')}; by default all but manage`,
};

/**
 * Returns the field `scopes` for a request body; `{}` if --scope was not given.
 * @throws CliError `usage`.
 */
function scopesOption(input: Input): { readonly scopes?: readonly string[] } {
  const scopes = input
    .text('scope')
    ?.split(',')
    .map((each) => each.trim());
  if (scopes === undefined) return {};
  const unknown = scopes.find((each) => !SCOPES.some((scope) => scope === each));
  if (unknown === undefined) return { scopes };
  throw new CliError(
    'usage',
    `--scope has ${JSON.stringify(unknown)}. It takes one or more of ${SCOPES.join(', ')}.`,
  );
}

/** Sends a call that returns a key. Prints the key as JSON, or as the text that `text` returns. */
const printKey = (
  context: CommandContext,
  call: AdminCall,
  text: (key: z.infer<typeof KEY>) => string = showKey,
): Promise<number> => printAnswer(context, call, KEY.loose(), text);

function showKey(key: z.infer<typeof KEY>): string {
  const { id, name, masked, status, previous_secret_until: until } = key;
  const before = until === null ? '' : ` The previous secret works until ${until}.`;
  return `${id} (${name}, ${masked}): ${status}, ${expiryNote(key.expires_at)}.${before}\nscopes: ${key.scopes.join(', ')}\n\n${limitsText(key)}`;
}

const keyPath = (input: Input): string => `/keys/${encodeURIComponent(input.arg(0))}`;

/** Returns the command that disables or enables a key. */
const keySwitch = (word: 'disable' | 'enable', summary: string): Command => ({
  words: `key ${word}`,
  summary,
  args: ['KEY_ID'],
  run: (context, input) =>
    printKey(
      context,
      { method: 'POST', path: `${keyPath(input)}/${word}` },
      (key) => `${key.id} (${key.name}, ${key.masked}) is ${key.status}.`,
    ),
});

async function onlyAccount(client: AdminClient): Promise<string> {
  const call = { method: 'GET', path: '/accounts?limit=2' } as const;
  const [account, second] = (await client.call(call, pageOf(ACCOUNT.loose()))).data;
  if (account !== undefined && second === undefined) return account.id;
  throw new CliError(
    'usage',
    account === undefined
      ? 'There is no account yet. Create one with `modelgate account create NAME`.'
      : 'There are several accounts. Name one with --account ID; `modelgate account list` shows them.',
  );
}

export const KEY_COMMANDS: readonly Command[] = [
  {
    words: 'key create',
    summary: 'create an API key and show it (only this once)',
    args: ['NAME'],
    options: {
      'account ID': 'the account of the key; optional if there is only one account',
      ...EXPIRES,
      ...SCOPE,
      ...LIMIT_OPTIONS,
    },
    run: async ({ connect, print, clock }, input) => {
      const limits = limitsOf(input);
      const scopes = scopesOption(input);
      const expiresAt = expiryOf(input, clock.nowMs());
      const client = await connect();
      const account = input.text('account') ?? (await onlyAccount(client));
      const body = {
        ...{ account_id: account, name: input.arg(0), expires_at: expiresAt },
        ...scopes,
        ...limits,
      };
      const note = await unsoldNote(connect, limits);
      const key = await client.call({ method: 'POST', path: '/keys', body }, CREATED_KEY.loose());
      print(key, () =>
        [
          key.secret,
          '',
          `Save the secret now: it is not shown again. The key has the id ${key.id} and belongs to the account ${key.account_id}; it ${expiryNote(key.expires_at)}.${note}`,
        ].join('\n'),
      );
      return 0;
    },
  },
  pageCommand({
    words: 'key list',
    summary: 'list API keys, oldest first',
    options: { 'account ID': 'only this account', ...PAGE_OPTIONS },
    path: '/keys',
    item: KEY.loose(),
    header: ['id', 'name', 'key', 'status', 'scopes', 'last used', 'expires', 'account'],
    row: (it) => [
      it.id,
      it.name,
      it.masked,
      it.status,
      it.scopes.join(' '),
      it.last_used_at ?? 'never',
      it.expires_at ?? 'never',
      it.account_id,
    ],
  }),
  {
    words: 'key show',
    summary: 'show an API key with its limits',
    args: ['KEY_ID'],
    run: (context, input) => printKey(context, { method: 'GET', path: keyPath(input) }),
  },
  {
    words: 'key update',
    summary: 'change an API key; omitted options stay unchanged',
    args: ['KEY_ID'],
    options: { 'name TEXT': 'a new name', ...EXPIRES_OR_NONE, ...SCOPE, ...LIMIT_OPTIONS },
    run: async (context, input) => {
      const name = input.text('name');
      const limits = limitsOf(input);
      const body = {
        ...(name === null ? {} : { name }),
        ...expiryChange(input, context.clock.nowMs()),
        ...scopesOption(input),
        ...limits,
      };
      const note = await unsoldNote(context.connect, limits);
      const call = { method: 'PATCH', path: keyPath(input), body } as const;
      return await printKey(context, call, (key) => showKey(key) + note);
    },
  },
  {
    words: 'key rotate',
    summary: 'rotate the secret of an API key and show the new one (only this once)',
    args: ['KEY_ID'],
    options: {
      'overlap TIME':
        'how long the old secret keeps working (default 24h, at most 30d); 0s revokes every old secret immediately',
    },
    run: (context, input) => {
      const overlap = input.text('overlap');
      const body = overlap === null ? {} : { overlap };
      const call = { method: 'POST', path: `${keyPath(input)}/rotate`, body } as const;
      return printAnswer(context, call, CREATED_KEY.loose(), (key) => {
        const old =
          key.previous_secret_until === null
            ? 'The old secret is revoked.'
            : `The old secret works until ${key.previous_secret_until}.`;
        return `${key.secret}\n\nSave it now: it is not shown again. ${old}`;
      });
    },
  },
  keySwitch('disable', 'disable an API key until it is enabled again'),
  keySwitch('enable', 'enable a disabled API key'),
  {
    words: 'key revoke',
    summary: 'revoke an API key permanently, by its id',
    args: ['KEY_ID'],
    run: (context, input) =>
      printKey(
        context,
        { method: 'DELETE', path: keyPath(input) },
        (key) => `Revoked ${key.id} (${key.name}, ${key.masked}).`,
      ),
  },
  {
    words: 'key generate',
    summary: 'print a well-formed key, for MODELGATE_INIT_KEY; needs no server',
    run: async ({ print, clock }) => {
      const secret = generateKey(clock).reveal();
      print({ secret }, () => secret);
      return 0;
    },
  },
];
