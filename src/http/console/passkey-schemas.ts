/**
 * Request and response bodies for passkeys, with the field names of Web Authentication: browsers
 * read the options with `PublicKeyCredential.parse…FromJSON`, and write the answers with `toJSON`.
 */
import * as z from 'zod';
import { count, page, time } from '../edge/answer-schema.ts';
import { name } from '../edge/request-schema.ts';

/** Maximum characters of a value. An attestation has about 200 bytes, or 500 with an RSA key. */
const MAX_CHARS = 8_192;
/** Maximum base64url characters of a passkey's id, which has at most 1023 bytes. */
const MAX_ID_CHARS = 1_364;
/** Maximum base64url characters of a person's id, which has at most 64 bytes. */
const MAX_HANDLE_CHARS = 86;

const base64url = (most: number) => {
  const error = `must be base64url of at most ${most} characters`;
  return z
    .string({ error })
    .max(most, { error })
    .regex(/^[\w-]+$/, { error });
};

/** Ignores unlisted fields of `credential`, because some browsers add their own. */
export const NEW_PASSKEY = z.strictObject({
  /** The name that the person gives the passkey. */
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
      /** The id of the person, which the authenticator stores with the passkey. */
      userHandle: base64url(MAX_HANDLE_CHARS),
    }),
  }),
});
const TYPE = z.literal('public-key');

/** The options of a new passkey, for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const PASSKEY_CREATION = z
  .strictObject({
    options: z.strictObject({
      rp: z.strictObject({ id: z.string(), name: z.string() }),
      user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
      challenge: z.string(),
      /** The accepted signature algorithms, by their COSE identifiers. */
      pubKeyCredParams: z.array(z.strictObject({ type: TYPE, alg: z.int() })),
      /** The timeout in milliseconds. */
      timeout: count,
      attestation: z.literal('none'),
      /** The person's passkeys. An authenticator with one of them does not create another. */
      excludeCredentials: z.array(z.strictObject({ type: TYPE, id: z.string() })),
      authenticatorSelection: z.strictObject({
        residentKey: z.literal('required'),
        requireResidentKey: z.boolean(),
        userVerification: z.literal('required'),
      }),
    }),
  })
  .meta({ id: 'PasskeyCreation' });

/** The options of a sign-in, for `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const PASSKEY_REQUEST = z
  .strictObject({
    options: z.strictObject({
      challenge: z.string(),
      rpId: z.string(),
      /** The timeout in milliseconds. */
      timeout: count,
      /** An empty list, so that the authenticator offers all of its passkeys for this site. */
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
    /** The last sign-in with the passkey; null before the first. */
    last_used_at: time.nullable(),
  })
  .meta({ id: 'Passkey' });
export const PASSKEYS = page(PASSKEY);
