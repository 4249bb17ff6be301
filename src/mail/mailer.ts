/** Queues email for the other parts of the gateway, if a mail server is configured. */
import type { Brand } from '../config/brand/brand-schema.ts';
import type { SqlStatement } from '../store/sql.ts';
import { type Language, type Letter, letterText, type Words } from './letter.ts';
import type { DrawOptions, MailOutbox } from './mail-outbox.ts';

export type MailerDeps = {
  readonly outbox: Pick<MailOutbox, 'draw' | 'add' | 'countOf'>;
  /** Returns whether a mail server is configured. */
  readonly isOn: () => boolean;
  readonly brand: () => Pick<Brand, 'name' | 'support_url'>;
  /** Makes the sender check for due letters now. */
  readonly wake: () => void;
};

export type Address = Pick<Letter, 'kind' | 'to' | 'accountId'> & { readonly language: Language };
/** Returns the words of a letter in each language, given the brand's name. */
export type Said = (brand: string) => Readonly<Record<Language, Words>>;

export class Mailer {
  readonly #deps: MailerDeps;

  constructor(deps: MailerDeps) {
    this.#deps = deps;
  }

  get isOn(): boolean {
    return this.#deps.isOn();
  }

  /**
   * Makes the sender check for due letters now. Call this after the statements that `queue`
   * returned are committed.
   */
  wake(): void {
    this.#deps.wake();
  }

  /** Returns how many letters of a kind were queued for the account in the last 24 hours. */
  async countOf(kind: string, accountId: string): Promise<number> {
    return await this.#deps.outbox.countOf(kind, accountId);
  }

  /** Returns the statements that queue a letter; an empty list while email is off. */
  queue(address: Address, said: Said, options: DrawOptions = {}): readonly SqlStatement[] {
    if (!this.isOn) return [];
    return [this.#deps.outbox.draw(this.letter(address, said), options).insert];
  }

  /**
   * Queues a letter.
   * @returns false if email is off, the queue is full, or the event already has a letter
   *   (`options.event`).
   */
  async add(address: Address, said: Said, options: DrawOptions = {}): Promise<boolean> {
    if (!this.isOn) return false;
    const id = await this.#deps.outbox.add(this.letter(address, said), options);
    if (id !== null) this.wake();
    return id !== null;
  }

  letter({ language, ...address }: Address, said: Said): Letter {
    const { name, support_url: supportUrl } = this.#deps.brand();
    const frame = { brand: name, supportUrl, language };
    return { ...address, ...letterText(said(name)[language], frame) };
  }
}
