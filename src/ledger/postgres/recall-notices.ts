/**
 * Hears which accounts must be surrendered, as soon as the store says so. A notice may be lost:
 * each heartbeat asks again, so notices only make a recall fast.
 */
import type { PostgresLink } from '../../store/postgres/postgres-link.ts';

/** The channel of `books_recall_locked` and of the triggers of changes that end assignments. */
export const RECALL_CHANNEL = 'modelgate_recall';

export class RecallNotices {
  readonly #link: PostgresLink;
  readonly #withinMs: number;

  /** @param link a connection for notices alone. */
  constructor(link: PostgresLink, withinMs: number) {
    this.#link = link;
    this.#withinMs = withinMs;
  }

  /** Listens, also after the connection was replaced. @throws Error when it cannot. */
  async listen(): Promise<void> {
    await this.#link.ask(this.#withinMs, (client) => client.unsafe(`LISTEN ${RECALL_CHANNEL}`));
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}
