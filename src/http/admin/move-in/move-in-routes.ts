/** The route that imports accounts with their people, keys and balances from another gateway. */
import * as z from 'zod';
import { MAX_KEYS } from '../../../accounts/account.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import { KEY_FORM_NAMES } from '../../../accounts/foreign-keys.ts';
import { built } from '../../../config/document/on-demand.ts';
import {
  MAX_ACCOUNTS_A_CALL,
  MAX_REF_CHARS,
  MOVED_KINDS,
  MOVED_STATES,
  type MovedAccount,
} from '../../../movein/move-in.ts';
import type { MovedAccounts } from '../../../movein/moved-accounts.ts';
import { normalizedEmail } from '../../../people/email.ts';
import { limits, limitsChange } from '../../caller/keys/key-schemas.ts';
import {
  checked,
  expiresAt,
  name,
  positiveAmount,
  text,
  trueOrFalse,
  walletCurrency,
} from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../../edge/route.ts';

/** Maximum number of people in one account. */
const MAX_PEOPLE = 100;
/** Maximum number of balances to import with an account. Other gateways have one per currency. */
const MAX_CREDITS = 10;
const MAX_SOURCE_CHARS = 32;
const MAX_PRICE_LIST_CHARS = 64;
const MAX_EMAIL_CHARS = 254;
const MAX_HASH_CHARS = 200;
const SHOWN_CHARS = 10;

const ref = built(() => text(MAX_REF_CHARS));
const BCRYPT_OR_ARGON = /^\$(?:2[aby]|argon2id)\$[!-~]+$/;
const HASH = 'must be a bcrypt or argon2id hash, or null';
const PERSON = built(() =>
  z.strictObject({
    ref: ref(),
    email: text(MAX_EMAIL_CHARS),
    name,
    password_hash: z
      .string({ error: HASH })
      .max(MAX_HASH_CHARS, { error: HASH })
      .regex(BCRYPT_OR_ARGON, { error: HASH })
      .nullable(),
  }),
);
const SHA256 = 'must be the SHA-256 of a key, as 64 hexadecimal digits in lower case';
const END = `must be at most ${SHOWN_CHARS} visible ASCII characters`;
const end = built(() =>
  z.string({ error: END }).regex(new RegExp(`^[!-~]{0,${SHOWN_CHARS}}$`), { error: END }),
);
const KEY = built(() =>
  z.strictObject({
    ref: ref(),
    name,
    hash: z.string({ error: SHA256 }).regex(/^[0-9a-f]{64}$/, { error: SHA256 }),
    form: z
      .enum(KEY_FORM_NAMES, { error: `must be ${KEY_FORM_NAMES.join(' or ')}, or null` })
      .nullable(),
    prefix: end(),
    last4: end(),
    disabled: trueOrFalse,
    expires_at: expiresAt,
    limits,
  }),
);
const CREDIT = built(() =>
  z.strictObject({ ref: ref(), currency: walletCurrency, amount: positiveAmount }),
);
const ACCOUNT = built(() =>
  z.strictObject({
    ref: ref(),
    earlier_ref: ref().nullish().meta({
      description:
        'An earlier `ref` of the account. Objects imported under it are not imported again.',
    }),
    name,
    suspended: trueOrFalse,
    price_list: text(MAX_PRICE_LIST_CHARS).nullable(),
    limits,
    people: z.array(PERSON()).max(MAX_PEOPLE, { error: `must be at most ${MAX_PEOPLE} people` }),
    keys: z.array(KEY()).max(MAX_KEYS, { error: `must be at most ${MAX_KEYS} keys` }),
    credits: z
      .array(CREDIT())
      .max(MAX_CREDITS, { error: `must be at most ${MAX_CREDITS} credits` }),
  }),
);
export const MOVE_IN = built(() =>
  z.strictObject({
    source: text(MAX_SOURCE_CHARS).meta({
      description:
        'The kind of source, such as `one-api`. An object with a `ref` that was already imported from this kind of source is not changed.',
    }),
    dry_run: trueOrFalse.meta({
      description: 'true: nothing is written, and the answer says what would happen.',
    }),
    accounts: z
      .array(ACCOUNT())
      .max(MAX_ACCOUNTS_A_CALL, { error: `must be at most ${MAX_ACCOUNTS_A_CALL} accounts` }),
  }),
);

export const MOVED = built(() =>
  z.strictObject({
    dry_run: z.boolean(),
    items: z.array(
      z.strictObject({
        kind: z.enum(MOVED_KINDS),
        ref: z.string().meta({
          description: 'The ID of the object at the source, as in the request, such as user:1.',
        }),
        name: z.string(),
        state: z.enum(MOVED_STATES).meta({
          description:
            'Whether the object was imported now, was imported by an earlier run, or is not imported. In a dry run, what would happen.',
        }),
        reason: z
          .string()
          .nullable()
          .meta({ description: 'Why the object is not imported; null otherwise.' }),
      }),
    ),
  }),
);

export type MoveInDeps = {
  readonly moved: Pick<MovedAccounts, 'move'>;
  readonly accounts: Pick<Accounts, 'findForeignKeys'>;
};

export const moveInRoutes = (deps: MoveInDeps): readonly Route[] => [
  {
    ...adminRoute(
      'POST /move-in',
      {
        summary: 'Import accounts from another gateway, with their people, keys and balances',
        request: MOVE_IN,
        response: MOVED,
      },
      (call) => moveIn(deps, call),
    ),
    maxBodyBytes: MAX_BODY_BYTES,
  },
];

/**
 * Maximum bytes of a body: one account with the maximum number of keys, each with long lists of
 * models.
 */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

async function moveIn({ moved, accounts }: MoveInDeps, call: AdminCall): Promise<Response> {
  const body = checked(MOVE_IN(), await call.readJson());
  const items = await moved.move(body.accounts.map(accountOf), {
    source: body.source,
    actor: call.actor,
    isDryRun: body.dry_run,
  });
  await accounts.findForeignKeys();
  const answer: z.infer<ReturnType<typeof MOVED>> = { dry_run: body.dry_run, items: [...items] };
  return Response.json(answer);
}

/**
 * Converts an account in the request body.
 * @throws GatewayError `invalid_value` for an invalid email address.
 */
const accountOf = (body: z.infer<ReturnType<typeof ACCOUNT>>, index: number): MovedAccount => ({
  ref: body.ref,
  earlierRef: body.earlier_ref ?? null,
  name: body.name,
  suspended: body.suspended,
  priceList: body.price_list,
  limits: limitsChange(body.limits) ?? {},
  people: body.people.map(({ password_hash: passwordHash, ...person }, place) => ({
    ...person,
    email: normalizedEmail(person.email, `accounts.${index}.people.${place}.email`),
    passwordHash,
  })),
  keys: body.keys.map(({ expires_at: expiresAtMs, ...key }) => ({
    ...key,
    expiresAtMs: expiresAtMs ?? null,
    limits: limitsChange(key.limits) ?? {},
  })),
  credits: body.credits,
});
