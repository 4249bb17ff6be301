/** A value that must not be revealed: printing, logging or serializing it gives `***`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const MASK = '***';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the plain value. Call this only in code that sends or hashes the value. */
  reveal(): string {
    return this.#value;
  }

  /** Whether the presented text equals the secret. Compares in constant time. */
  matches(presented: string): boolean {
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(this.#value), digest(presented));
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
