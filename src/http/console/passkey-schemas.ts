/**
 * Bodies of passkeys. What browsers read and write has the names of Web Authentication: the options
 * are for `PublicKeyCredential.parse…FromJSON`, and the answers are from `toJSON`.
 */
import { z } from 'zod';
import { count, page, time } from '../edge/answer-schema.ts';
import { name } from '../edge/request-schema.ts';

/** The longest value: an attestation has 200 bytes, and with an RSA key 500. */
const MAX_CHARS = 8_192;
/** The longest id of a passkey is 1023 bytes. */
const MAX_ID_CHARS = 1_364;
/** The longest id of a person is 64 bytes. */
const MAX_HANDLE_CHARS = 86;

const base64url = (most: number) => {
  const error = `must be base64url of at most ${most} characters`;
  return z
    .string({ error })
    .max(most, { error })
    .regex(/^[\w-]+$/, { error });
};

/** An answer may have more fields, which are ignored: browsers add some. */
export const NEW_PASSKEY = z.strictObject({
  /** What the person calls it. */
  name,
  /** The answer of `navigator.credentials.create` as JSON. */
  credential: z.object({
    id: base64url(MAX_ID_CHARS),
    response: z.object({
      clientDataJSON: base64url(MAX_CHARS),
      attestationObject: base64url(MAX_CHARS),
    }),
  }),
});
export const PASSKEY_CHANGE = NEW_PASSKEY.pick({ name: true }).meta({ id: 'PasskeyChange' });
export const PASSKEY_ANSWER = z.strictObject({
  /** The answer of `navigator.credentials.get` as JSON. Fields that are not listed are ignored. */
  credential: z.object({
    id: base64url(MAX_ID_CHARS),
    response: z.object({
      clientDataJSON: base64url(MAX_CHARS),
      authenticatorData: base64url(MAX_CHARS),
      signature: base64url(MAX_CHARS),
      /** The person, as the authenticator remembers it. */
      userHandle: base64url(MAX_HANDLE_CHARS),
    }),
  }),
});
const TYPE = z.literal('public-key');

/** What `PublicKeyCredential.parseCreationOptionsFromJSON` reads. */
export const PASSKEY_CREATION = z
  .strictObject({
    options: z.strictObject({
      rp: z.strictObject({ id: z.string(), name: z.string() }),
      user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
      challenge: z.string(),
      /** The accepted signatures, by their numbers in COSE. */
      pubKeyCredParams: z.array(z.strictObject({ type: TYPE, alg: z.int() })),
      /** In milliseconds. */
      timeout: count,
      attestation: z.literal('none'),
      /** The passkeys of the person: their authenticators do not create another one. */
      excludeCredentials: z.array(z.strictObject({ type: TYPE, id: z.string() })),
      authenticatorSelection: z.strictObject({
        residentKey: z.literal('required'),
        requireResidentKey: z.boolean(),
        userVerification: z.literal('required'),
      }),
    }),
  })
  .meta({ id: 'PasskeyCreation' });

/** What `PublicKeyCredential.parseRequestOptionsFromJSON` reads. */
export const PASSKEY_REQUEST = z
  .strictObject({
    options: z.strictObject({
      challenge: z.string(),
      rpId: z.string(),
      /** In milliseconds. */
      timeout: count,
      /** Empty: the authenticator offers the passkeys that it has. */
      allowCredentials: z.array(z.strictObject({ type: TYPE, id: z.string() })),
      userVerification: z.literal('required'),
    }),
  })
  .meta({ id: 'PasskeyRequest' });

export const PASSKEY = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    created_at: time,
    /** The last sign-in with it; null before the first. */
    last_used_at: time.nullable(),
  })
  .meta({ id: 'Passkey' });
export const PASSKEYS = page(PASSKEY);
