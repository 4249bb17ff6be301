/**
 * A software authenticator for tests. It answers as a browser does, or with faults that a test
 * chooses.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { NewPasskeyAnswer, PasskeyAnswer } from './relying-party.ts';

/** How an answer differs from the answer of a correct browser and authenticator. */
export type Fault = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** Whether the answer claims that the authenticator has verified the user. */
  readonly isVerified?: boolean;
  /** The signature counter. By default, it increases by one with each signature. */
  readonly uses?: number;
  readonly userHandle?: string;
  /** The format of the attestation. */
  readonly format?: string;
  readonly isTampered?: boolean;
};

type Creation = {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
};
type Request = { readonly rpId: string; readonly challenge: string };

/**
 * Bits of the flags in the authenticator data: user present, user verified, backup eligible, backed
 * up, attested credential data.
 */
const [UP, UV, BE, BS, AT] = [1, 4, 8, 16, 64];

/** An authenticator with one passkey. If it does not count signatures, its counter is always 0. */
export class TestAuthenticator {
  readonly #key: KeyObject;
  readonly #origin: string;
  readonly #isCounting: boolean;
  #userHandle = '';
  #uses = 0;

  constructor({ origin = 'http://gateway', isCounting = false } = {}) {
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    this.#origin = origin;
    this.#isCounting = isCounting;
  }

  get id(): string {
    return sha256(this.#publicKey()).toString('base64url');
  }

  /** Creates the passkey, like `navigator.credentials.create`. */
  create({ rp, user, challenge }: Creation, fault: Fault = {}): NewPasskeyAnswer {
    this.#userHandle = user.id;
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([0, id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey()]);
    const data = Buffer.concat([this.#data(rp.id, AT, fault), credential]);
    const attestation = map([
      [text('fmt'), text(fault.format ?? 'none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(data)],
    ]);
    return {
      id: this.id,
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, fault).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      },
    };
  }

  /** Signs in with the passkey, like `navigator.credentials.get`. */
  get({ rpId, challenge }: Request, fault: Fault = {}): PasskeyAnswer {
    const data = this.#data(rpId, 0, fault);
    const client = this.#clientData('webauthn.get', challenge, fault);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#key);
    if (fault.isTampered === true) data.writeUInt8(data.readUInt8(32) ^ BS, 32);
    return {
      id: this.id,
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: fault.userHandle ?? this.#userHandle,
      },
    };
  }

  #data(rpId: string, flags: number, { uses, isVerified = true, ...fault }: Fault): Buffer {
    if (this.#isCounting) this.#uses += 1;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags | UP | BE | BS | (isVerified ? UV : 0));
    rest.writeUInt32BE(uses ?? this.#uses, 1);
    return Buffer.concat([sha256(Buffer.from(fault.rpId ?? rpId)), rest]);
  }

  #clientData(type: string, challenge: string, fault: Fault): Buffer {
    const origin = fault.origin ?? this.#origin;
    const crossOrigin = false;
    const said = { type, challenge: fault.challenge ?? challenge, origin, crossOrigin };
    return Buffer.from(JSON.stringify(said));
  }

  /** Encodes the public key as COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x and y. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = createPublicKey(this.#key).export({ format: 'jwk' });
    return map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    ]);
  }
}

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** Encodes the head of a CBOR value of less than 64 KiB (RFC 8949, 3). */
function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer =>
  Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const map = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);
