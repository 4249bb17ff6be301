/**
 * Listens for notices in which the store names accounts that nodes must surrender (return to the
 * store). If a notice is lost, the recall only takes longer, because each heartbeat also asks for
 * such accounts.
 */
import type { PostgresLink } from '../../store/postgres/postgres-link.ts';

/** The channel on which `books_recall_locked` and the triggers of changes send their notices. */
export const RECALL_CHANNEL = 'modelgate_recall';

export class RecallNotices {
  readonly #link: PostgresLink;
  readonly #withinMs: number;

  /** @param link a connection that is used only for notices. */
  constructor(link: PostgresLink, withinMs: number) {
    this.#link = link;
    this.#withinMs = withinMs;
  }

  /**
   * Listens on the channel. Must be called again after a reconnect.
   * @throws Error when it fails.
   */
  async listen(): Promise<void> {
    await this.#link.ask(this.#withinMs, (client) => client.unsafe(`LISTEN ${RECALL_CHANNEL}`));
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}
