/** What other rooms need to send email: whether it is on, and the queue. */
import type { Brand } from '../config/brand/brand-schema.ts';
import type { SqlStatement } from '../store/sql.ts';
import { type Language, type Letter, letterText, type Words } from './letter.ts';
import type { DrawOptions, MailOutbox } from './mail-outbox.ts';

export type MailerDeps = {
  readonly outbox: Pick<MailOutbox, 'draw' | 'add'>;
  /** Whether a mail server is set up. */
  readonly isOn: () => boolean;
  readonly brand: () => Pick<Brand, 'name' | 'support_url'>;
  /** Sends what is due, soon. */
  readonly wake: () => void;
};

/** What a letter is about, and where it goes. */
export type Address = Pick<Letter, 'kind' | 'to' | 'accountId'> & { readonly language: Language };
/** The words of a letter in each language. */
export type Said = (brand: string) => Readonly<Record<Language, Words>>;

export class Mailer {
  readonly #deps: MailerDeps;

  constructor(deps: MailerDeps) {
    this.#deps = deps;
  }

  get isOn(): boolean {
    return this.#deps.isOn();
  }

  /** Sends what is due, soon. Call it after the transaction with statements of `queue`. */
  wake(): void {
    this.#deps.wake();
  }

  /** Returns the statements that queue a letter: none while email is off. */
  queue(address: Address, said: Said, options: DrawOptions = {}): readonly SqlStatement[] {
    if (!this.isOn) return [];
    return [this.#deps.outbox.draw(this.letter(address, said), options).insert];
  }

  /** Queues a letter. @returns false when email is off, or it was queued before. */
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
