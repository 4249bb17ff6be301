/**
 * Makes the options with which browsers create and use passkeys, and checks the browsers' answers
 * with `@simplewebauthn/server`. In Web Authentication, the gateway's role is called relying party.
 */
import { GatewayError } from '../../errors.ts';
import type { PersonRecord } from '../person.ts';
import { CHALLENGE_MS } from './passkey-challenges.ts';
import { passkeyFailed } from './passkey-errors.ts';

/**
 * The accepted signature algorithms: ES256, EdDSA and RS256. Every authenticator supports at least
 * one.
 */
const ALGORITHMS = [-7, -8, -257] as const;
/**
 * Matches an IP address as the host of a parsed URL. An IP address cannot be the id of a relying
 * party.
 */
const IP_ADDRESS = /^[\d.]+$|^\[/;

/** The answer of `navigator.credentials.create`, with binary values in base64url. */
export type NewPasskeyAnswer = {
  readonly id: string;
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
};
/** The answer of `navigator.credentials.get`. */
export type PasskeyAnswer = {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    /** The id of the person, which the authenticator stores with the passkey. */
    readonly userHandle: string;
  };
};
export type PublicKey = {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  /** The authenticator's signature counter; 0 if the authenticator does not count signatures. */
  readonly uses: number;
};

/**
 * The gateway as relying party. Every method
 * @throws GatewayError `passkey_failed` if passkeys are off, if the host is an IP address, or if
 *   the answer is refused.
 */
export class RelyingParty {
  readonly #origin: string;
  readonly #host: string;
  readonly #isOn: () => boolean;

  /** @param isOn whether passkeys are currently turned on. */
  constructor(publicUrl: string, isOn: () => boolean) {
    const { origin, hostname } = new URL(publicUrl);
    this.#isOn = isOn;
    this.#origin = origin;
    this.#host = hostname;
  }

  /**
   * Returns the options for creating a passkey.
   * @param known the ids of the person's passkeys. An authenticator that has one of them does not
   *   create another.
   */
  creation(
    { id, email, name }: Pick<PersonRecord, 'id' | 'email' | 'name'>,
    challenge: string,
    known: readonly string[],
  ) {
    return {
      // `user.name` is the email address, because browsers show `user.name` but not `rp.name`.
      rp: { id: this.#id(), name: this.#host },
      user: { id: userHandleOf(id), name: email, displayName: name },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: CHALLENGE_MS,
      attestation: 'none' as const,
      excludeCredentials: known.map((each) => ({ type: 'public-key' as const, id: each })),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true,
        userVerification: 'required' as const,
      },
    };
  }

  /** Returns the options for signing in with any passkey. */
  request(challenge: string) {
    return {
      ...{ challenge, rpId: this.#id(), timeout: CHALLENGE_MS },
      ...{ allowCredentials: [], userVerification: 'required' as const },
    };
  }

  /** Checks the browser's answer to `creation`. Returns the public key of the new passkey. */
  async created(answer: NewPasskeyAnswer, challenge: string): Promise<PublicKey> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    return await orRefused(async () => {
      await requireNoCertificates(answer);
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: { ...wholeOf(answer.id), response: { ...answer.response } },
        ...this.#expected(challenge),
        supportedAlgorithmIDs: [...ALGORITHMS],
      });
      if (!verified || registrationInfo === undefined) throw passkeyFailed('refused');
      const { id, publicKey, counter } = registrationInfo.credential;
      // The answer contains the passkey's id twice: in the signed data and outside of it. Both must
      // be equal.
      if (id !== answer.id) throw passkeyFailed('refused');
      return { credentialId: id, publicKey, uses: counter };
    });
  }

  /**
   * Checks the browser's answer to `request`. Returns the signature counter, which the caller
   * compares with the stored one.
   */
  async signed(
    answer: PasskeyAnswer,
    challenge: string,
    { credentialId, publicKey }: Omit<PublicKey, 'uses'>,
  ): Promise<number> {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    return await orRefused(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...wholeOf(answer.id), response: { ...answer.response } },
        ...this.#expected(challenge),
        credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
      });
      if (!verified) throw passkeyFailed('refused');
      return authenticationInfo.newCounter;
    });
  }

  #expected(challenge: string) {
    return {
      expectedChallenge: challenge,
      expectedOrigin: this.#origin,
      expectedRPID: this.#id(),
      requireUserVerification: true,
    };
  }

  /**
   * Returns the host, which is this gateway's id as relying party.
   * @throws GatewayError `passkey_failed` if passkeys are off, or if the host is an IP address.
   */
  #id(): string {
    if (!this.#isOn()) throw passkeyFailed('off');
    if (IP_ADDRESS.test(this.#host)) throw passkeyFailed('address');
    return this.#host;
  }
}

/**
 * Returns the user id that authenticators store with a passkey. It is not the email address,
 * because that may change.
 */
export const userHandleOf = (personId: string): string =>
  Buffer.from(personId).toString('base64url');

const wholeOf = (id: string) => ({
  ...{ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} },
});

/**
 * Refuses attestation certificates, because none were requested. To check them, the library would
 * fetch URLs that the certificates contain.
 */
async function requireNoCertificates({ response }: NewPasskeyAnswer): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const bytes = isoBase64URL.toBuffer(response.attestationObject);
  const attestation = decodeAttestationObject(bytes);
  const format = attestation.get('fmt');
  const isSelfSigned = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelfSigned) throw passkeyFailed('refused');
}

async function orRefused<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    throw passkeyFailed('refused', thrown);
  }
}
