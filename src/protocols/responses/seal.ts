/**
 * Signs the reasoning of a translated answer and puts it into `encrypted_content`, which every
 * client sends back unchanged. The signed text is called a seal. It is not encrypted, because the
 * caller may read the reasoning of its own answers.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../../errors.ts';
import {
  asArray,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';

/**
 * The prefix that distinguishes reasoning that the gateway signed from reasoning that a provider
 * encrypted.
 */
export const SEAL_PREFIX = 'modelgate-responses-1.';

/**
 * The content of a seal. It is the reasoning for the assistant message to which the reasoning item
 * belongs, in the fields of Chat Completions.
 */
export type SealedReasoning = {
  /** The text of `reasoning_content`; empty if `details` has all reasoning. */
  readonly text: string;
  /** Entries of `reasoning_details` without their position: the item's position replaces it. */
  readonly details: readonly JsonObject[];
  /** The `extra_content` of tool calls by `call_id`, such as a provider's signature of the call. */
  readonly calls: Readonly<Record<string, JsonObject>>;
};

/** The length to which each HMAC is truncated: 128 bits are enough, and take half the space. */
const MAC_BYTES = 16;
const PURPOSE = 'reasoning of the Responses API';

export class Seals {
  readonly #key: Uint8Array;

  /** @param secret a secret of the installation, the same on all nodes. */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update(PURPOSE).digest();
  }

  seal({ text, details, calls }: SealedReasoning): string {
    const content = Buffer.from(
      JSON.stringify({
        ...(text === '' ? {} : { text }),
        ...(details.length === 0 ? {} : { details }),
        ...(Object.keys(calls).length === 0 ? {} : { calls }),
      }),
    );
    return SEAL_PREFIX + Buffer.concat([this.#mac(content), content]).toString('base64url');
  }

  /**
   * Returns the reasoning; null if a provider encrypted it, so only that provider can read it.
   * @param param the path of the text in the request, such as `input[2].encrypted_content`.
   * @throws GatewayError `invalid_encrypted_content` if this installation did not sign the text.
   */
  unseal(sealed: string, param: string): SealedReasoning | null {
    if (!sealed.startsWith(SEAL_PREFIX)) return null;
    const bytes = Buffer.from(sealed.slice(SEAL_PREFIX.length), 'base64url');
    const mac = bytes.subarray(0, MAC_BYTES);
    const content = bytes.subarray(MAC_BYTES);
    if (mac.byteLength < MAC_BYTES || !timingSafeEqual(mac, this.#mac(content))) {
      throw new GatewayError('invalid_encrypted_content', NOT_VERIFIED, { param });
    }
    const json = asJsonObject(JSON.parse(content.toString())) ?? {};
    const calls = Object.entries(asJsonObject(json['calls']) ?? {}).flatMap(([id, extra]) =>
      isJsonObject(extra) ? [[id, extra] as const] : [],
    );
    return {
      text: asString(json['text']) ?? '',
      details: asArray(json['details']).filter(isJsonObject),
      calls: Object.fromEntries(calls),
    };
  }

  #mac(content: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(content).digest().subarray(0, MAC_BYTES);
  }
}

const NOT_VERIFIED =
  'This encrypted reasoning was changed, or comes from another gateway. Leave its item out of `input`.';
