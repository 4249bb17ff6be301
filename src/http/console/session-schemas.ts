/**
 * What signing in, and what somebody does with their own sign-in, is asked and answered with. Unknown fields
 * are refused. Passwords and codes are in requests only; what is shown once says so.
 */
import { z } from 'zod';
import { MAX_NAME_CHARS } from '../../accounts/account.ts';
import { MAX_EMAIL_CHARS } from '../../people/email.ts';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../people/password.ts';
import { ROLES } from '../../people/person.ts';
import { count, page, time } from '../edge/answer-schema.ts';
import { isStorable } from '../edge/request-schema.ts';

/** Tokens are 43 characters; a text that is much longer is no token. */
const MAX_TOKEN_CHARS = 128;
const MAX_CODE_CHARS = 32;

const EMAIL = `must be an email address of at most ${MAX_EMAIL_CHARS} characters, such as "ada@example.com"`;
/** Looked at again, and folded, where it is kept. */
export const email = z
  .string({ error: EMAIL })
  .trim()
  .min(1, { error: EMAIL })
  .max(MAX_EMAIL_CHARS, {
    error: EMAIL,
  });
const PASSWORD = `must be text of at most ${MAX_PASSWORD_CHARS} characters`;
/** A password that is presented: whether it is a good one is asked when it is set. */
const password = z
  .string({ error: PASSWORD })
  .min(1, { error: PASSWORD })
  .max(MAX_PASSWORD_CHARS, { error: PASSWORD });
const NEW_PASSWORD = `must be text of ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters`;
const newPassword = z
  .string({ error: NEW_PASSWORD })
  .min(MIN_PASSWORD_CHARS, { error: NEW_PASSWORD })
  .max(MAX_PASSWORD_CHARS, { error: NEW_PASSWORD });
const TOKEN = 'must be the token of the link, the part behind "#token="';
const token = z.string({ error: TOKEN }).min(1, { error: TOKEN }).max(MAX_TOKEN_CHARS, {
  error: TOKEN,
});
const CODE = 'must be the code that the authenticator shows, or a recovery code';
const code = z.string({ error: CODE }).trim().min(1, { error: CODE }).max(MAX_CODE_CHARS, {
  error: CODE,
});
const NAME = `must be text of 1 to ${MAX_NAME_CHARS} characters`;
const name = z
  .string({ error: NAME })
  .trim()
  .min(1, { error: NAME })
  .max(MAX_NAME_CHARS, { error: NAME })
  .refine(isStorable, { error: 'must be well-formed text without the character zero' });

export const SETUP = z.strictObject({ token, email, name, password: newPassword });
export const SIGN_IN = z.strictObject({ email, password });
export const TOTP_CODE = z.strictObject({
  /** Six digits; or a recovery code, which works once. */
  code,
});
export const SIGN_UP = z.strictObject({
  /** Of an invitation: it says which account and role. Left out: a new account, where sign-up is open. */
  token: token.optional(),
  email,
  name,
  password: newPassword,
  /** What the new account is called; left out, it has the person's name. */
  account_name: name.optional(),
});
export const PASSWORD_RESET = z.strictObject({ token, password: newPassword });
export const LINK_QUESTION = z.strictObject({ token });
export const PROFILE_CHANGE = z.strictObject({ name });
export const PASSWORD_CHANGE = z.strictObject({
  current_password: password,
  new_password: newPassword,
});
export const PASSWORD_PROOF = z.strictObject({ password });

export const role = z.enum(ROLES);
/** The account that somebody belongs to. */
export const ACCOUNT_NAME = z.strictObject({ id: z.string(), name: z.string() });

export const PERSON = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role,
    account: ACCOUNT_NAME,
    /** Whether signing in takes a code besides the password. */
    totp_enabled: z.boolean(),
    /** Until they have set up codes, they may do nothing else: the settings ask it of administrators. */
    totp_required: z.boolean(),
  })
  .meta({ id: 'Person' });
export type PersonBody = Readonly<z.infer<typeof PERSON>>;

/** Who is signed in, and what a page of ours needs to know before anybody is. */
export const SESSION_STATE = z
  .strictObject({
    person: PERSON.nullable(),
    /** Nobody is administrator yet: the link in the server's log makes the first. */
    setup_needed: z.boolean(),
    sign_up: z.enum(['closed', 'open']),
    password_min_length: count,
    password_max_length: count,
    /** Where programs call the gateway; no slash at its end. */
    public_url: z.string(),
  })
  .meta({ id: 'SessionState' });
export type SessionStateBody = Readonly<z.infer<typeof SESSION_STATE>>;

/** With `totp_needed` the password was right and nobody is signed in yet: the code is asked for next. */
export const SIGNED_IN = z
  .strictObject({ person: PERSON.nullable(), totp_needed: z.boolean() })
  .meta({ id: 'SignedIn' });
export type SignedInBody = Readonly<z.infer<typeof SIGNED_IN>>;
export const SIGNED_OUT = z.strictObject({ signed_out: z.boolean() });

/** What a link is for, told to whoever has it. */
export const LINK = z
  .strictObject({
    kind: z.enum(['setup', 'invitation', 'password_reset']),
    /** Whom it is for; null: for whoever has it. */
    email: z.string().nullable(),
    /** What they come to be with it; null for a reset. */
    role: role.nullable(),
    /** The account they come to belong to; null for a reset, and where it is yet to be made. */
    account_name: z.string().nullable(),
    expires_at: time,
  })
  .meta({ id: 'Link' });
export type LinkBody = Readonly<z.infer<typeof LINK>>;

export const PROFILE = z
  .strictObject({ ...PERSON.shape, created_at: time, recovery_codes_left: count })
  .meta({ id: 'Profile' });
export type ProfileBody = Readonly<z.infer<typeof PROFILE>>;

/** Shown once. The picture to scan is drawn from `otpauth_uri` where it is shown. */
export const TOTP_SETUP = z
  .strictObject({
    otpauth_uri: z.string(),
    /** The same secret, to be typed in. */
    secret: z.string(),
    recovery_codes: z.array(z.string()),
  })
  .meta({ id: 'TotpSetup' });
/** Shown once; those before them no longer work. */
export const RECOVERY_CODES = z.strictObject({ recovery_codes: z.array(z.string()) });

export const SESSION_ITEM = z
  .strictObject({
    id: z.string(),
    /** Whether it is the one that asks. */
    current: z.boolean(),
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: time,
    /** To the minute. */
    last_seen_at: time,
    expires_at: time,
  })
  .meta({ id: 'Session' });
export type SessionItemBody = Readonly<z.infer<typeof SESSION_ITEM>>;
export const SESSIONS = page(SESSION_ITEM);
export const SESSIONS_ENDED = z.strictObject({ ended: count });
