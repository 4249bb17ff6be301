/**
 * Bodies for sign-in and profiles. A response contains a secret only where a comment says "shown
 * once".
 */
import * as z from 'zod';
import { BRAND_PAGES } from '../../config/brand/brand.ts';
import { MAX_EMAIL_CHARS } from '../../people/email.ts';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../people/password.ts';
import { ROLES } from '../../people/person.ts';
import { count, page, time } from '../edge/answer-schema.ts';
import { limitedText, name } from '../edge/request-schema.ts';

/** Maximum characters of a token. Our tokens have 43. */
const MAX_TOKEN_CHARS = 128;
const MAX_CODE_CHARS = 32;

const EMAIL = `must be an email address of at most ${MAX_EMAIL_CHARS} characters, such as "ada@example.com"`;
/** An email address. The code that stores the address validates it and folds its case. */
export const email = z
  .string({ error: EMAIL })
  .trim()
  .min(1, { error: EMAIL })
  .max(MAX_EMAIL_CHARS, { error: EMAIL });
const PASSWORD = `must be text of at most ${MAX_PASSWORD_CHARS} characters`;
/** A password to verify. Its strength was checked when it was set. */
const password = limitedText(PASSWORD, 1, MAX_PASSWORD_CHARS);
const NEW_PASSWORD = `must be text of ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters`;
const newPassword = limitedText(NEW_PASSWORD, MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS);
const TOKEN = 'must be the token of the link: the part after "#token="';
const token = limitedText(TOKEN, 1, MAX_TOKEN_CHARS);
const CODE = 'must be the code shown by the authenticator, or a recovery code';
const code = z.string({ error: CODE }).trim().min(1, { error: CODE }).max(MAX_CODE_CHARS, {
  error: CODE,
});

export const SETUP = z.strictObject({
  token,
  email,
  name,
  password: newPassword,
  /**
   * The name of the first account, such as the company's name. If it is omitted, an existing first
   * account keeps its name, and a new one gets the person's name.
   */
  account_name: name.optional(),
});
export const SIGN_IN = z.strictObject({ email, password });
export const TOTP_CODE = z.strictObject({
  /** Six digits from the authenticator, or a recovery code, which works once. */
  code,
});
export const SIGN_UP = z.strictObject({
  /** The token of an invitation. Omitted to create a new account, where sign-up is open. */
  token: token.optional(),
  email,
  name,
  password: newPassword,
  /**
   * The name of the new account; by default the name of the person. Ignored with an invitation,
   * which names its account.
   */
  account_name: name.optional(),
});
export const PASSWORD_RESET = z.strictObject({ token, password: newPassword });
/** The address to send an email to. The answer does not reveal whether it has an account. */
export const LETTER_REQUEST = z.strictObject({ email });
export const LETTER_REQUESTED = z.strictObject({ requested: z.literal(true) });
export const LINK_QUESTION = z.strictObject({ token });
export const PROFILE_CHANGE = z.strictObject({ name });
export const PASSWORD_CHANGE = z.strictObject({
  /**
   * The current password. A person without a password omits it, but must have signed in during the
   * last 10 minutes.
   */
  current_password: password.optional(),
  new_password: newPassword,
});
export const PASSWORD_PROOF = z.strictObject({
  /**
   * The current password. A person without a password omits it, but must have signed in during the
   * last 10 minutes.
   */
  password: password.optional(),
});
/** Maximum characters of an identity provider's query. Real ones are far shorter. */
const MAX_QUERY_CHARS = 8_192;
const QUERY = `must be text of at most ${MAX_QUERY_CHARS} characters`;
export const PROVIDER_ANSWER = z.strictObject({
  /** The query of the URL to which the identity provider redirected, such as `?code=...`. */
  query: z.string({ error: QUERY }).max(MAX_QUERY_CHARS, { error: QUERY }),
});
/** The URL of the identity provider to which the browser must go. */
export const PROVIDER_START = z.strictObject({ url: z.string() }).meta({ id: 'ProviderStart' });

export const role = z.enum(ROLES);

export const PERSON = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role,
    account: z.strictObject({ id: z.string(), name: z.string() }),
    totp_enabled: z.boolean(),
    /** Whether two-factor authentication must be set up before any other route can be used. */
    totp_required: z.boolean(),
  })
  .meta({ id: 'Person' });

/** An account of the signed-in person, with their role in it. */
export const OWN_ACCOUNT = z
  .strictObject({ id: z.string(), name: z.string(), role })
  .meta({ id: 'OwnAccount' });

/** A text in English and in Chinese. If `zh` is null, Chinese pages show the English text. */
const TRANSLATED = z.strictObject({ en: z.string(), zh: z.string().nullable() });
/** A page that the operator has written, as Markdown. */
export const BRAND_TEXT = z.strictObject({ text: TRANSLATED }).meta({ id: 'BrandPage' });

/** The state of the session: the signed-in person, and the data that a sign-in page needs. */
export const SESSION_STATE = z
  .strictObject({
    person: PERSON.nullable(),
    /**
     * Set while an administrator views an account as its owner does. Every change is refused until
     * the view ends.
     */
    view: z
      .strictObject({
        /** When the administrator's view of the account expires. */
        ends_at: time,
      })
      .nullable(),
    /** The person's accounts, the main account first; empty while `view` is set. */
    accounts: z.array(OWN_ACCOUNT),
    /**
     * Whether there is no administrator yet. The setup link in the gateway's log creates the first
     * administrator.
     */
    setup_needed: z.boolean(),
    sign_up: z.enum(['closed', 'open']),
    /** Whether people can sign in with passwords. */
    password_sign_in: z.boolean(),
    /** Whether people can add passkeys and sign in with them. */
    passkeys: z.boolean(),
    /** The name of the identity provider through which people sign in; null without one. */
    provider: z.string().nullable(),
    /** Whether email is sent: for forgotten passwords, and to confirm addresses at sign-up. */
    email: z.boolean(),
    password_min_length: count,
    password_max_length: count,
    /** The base URL of the API, without a trailing slash. */
    public_url: z.string(),
    /** The operator's additions to the console. */
    brand: z.strictObject({
      support_url: z.string().nullable(),
      /** The pages that the operator has written. */
      pages: z.array(z.enum(BRAND_PAGES)),
      /** The announcement to show; null without one. */
      announcement: z
        .strictObject({
          text: TRANSLATED,
          level: z.enum(['info', 'warning']),
          dismissible: z.boolean(),
        })
        .nullable(),
    }),
  })
  .meta({ id: 'SessionState' });

/**
 * The result of a sign-in. `totp_needed`: the password or the provider's answer is accepted, but a
 * code is required.
 */
export const SIGNED_IN = z
  .strictObject({ person: PERSON.nullable(), totp_needed: z.boolean() })
  .meta({ id: 'SignedIn' });
export const SIGNED_OUT = z.strictObject({ signed_out: z.boolean() });

/** What a setup, invitation or reset link is for. */
export const LINK = z
  .strictObject({
    kind: z.enum(['setup', 'invitation', 'password_reset']),
    /** The address that the link is for; null if anyone can use the link. */
    email: z.string().nullable(),
    /** The role that the link grants; null for a reset. */
    role: role.nullable(),
    /**
     * The name of the account that the link gives access to; null for a setup or a reset, and for a
     * new account that gets the name of its person.
     */
    account_name: z.string().nullable(),
    expires_at: time,
  })
  .meta({ id: 'Link' });

export const PROFILE = z
  .strictObject({
    ...PERSON.shape,
    created_at: time,
    recovery_codes_left: count,
    /**
     * Whether the person has a password. Without one, they sign in through a provider or by
     * passkey.
     */
    has_password: z.boolean(),
    /** The accounts at identity providers with which the person signs in. */
    identities: z.array(
      z.strictObject({
        /** The provider's name; null if the settings now have another provider, or none. */
        name: z.string().nullable(),
        issuer: z.string(),
        linked_at: time,
      }),
    ),
  })
  .meta({ id: 'Profile' });

/** The setup of an authenticator, shown once. The client renders `otpauth_uri` as a QR code. */
export const TOTP_SETUP = z
  .strictObject({
    otpauth_uri: z.string(),
    /** The secret in `otpauth_uri`, for people who type it. */
    secret: z.string(),
    recovery_codes: z.array(z.string()),
  })
  .meta({ id: 'TotpSetup' });
/** New recovery codes, shown once. The earlier codes stop working. */
export const RECOVERY_CODES = z.strictObject({ recovery_codes: z.array(z.string()) });

export const SESSION_ITEM = z
  .strictObject({
    id: z.string(),
    /** Whether this is the session of the request. */
    current: z.boolean(),
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: time,
    /** When the session was last used, to the minute. */
    last_seen_at: time,
    expires_at: time,
  })
  .meta({ id: 'Session' });
export const SESSIONS = page(SESSION_ITEM);
export const SESSIONS_ENDED = z.strictObject({ ended: count });
