/**
 * The webhooks that accounts set for their alerts, one per account. The secret that signs
 * deliveries is shown once, and stored encrypted under the console key.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { errorsOf, GatewayError } from '../../errors.ts';
import { type AuditAction, auditEntry } from '../../store/audit.ts';
import { integer, numberOrNull, text } from '../../store/row.ts';
import { NONCE_BYTES, openBytes, sealBytes } from '../../store/sealed-bytes.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../../store/sql.ts';
import { addressProblem } from '../../upstreams/public-post.ts';
import { endAllOf } from './webhook-outbox.ts';

/**
 * Maximum length of a webhook's URL. It is large because the path and query may contain a token.
 */
export const MAX_URL_CHARS = 2_000;
const SECRET_BYTES = 32;
/** How long, by default, the previous secret still signs after a rotation. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

export type AccountWebhook = {
  readonly url: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  /** The time when the previous secret stops signing; null if no previous secret signs. */
  readonly earlierUntilMs: number | null;
};

/**
 * The addresses to which accounts may send webhooks. `off`: none; `public`: only public addresses;
 * `private`: public and private addresses.
 */
export type WebhookReach = 'off' | 'public' | 'private';

/**
 * The URL of an account's webhook, and the secrets that sign its deliveries, the current secret
 * first. `secrets` is null if they cannot be decrypted because the console key has changed.
 */
export type WebhookTarget = { readonly url: string; readonly secrets: readonly Secret[] | null };

export type AccountWebhooksDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>;
  /** The console key, which is the same on every node. */
  readonly secret: Secret;
  readonly reach: WebhookReach;
};

/** The error for a change or a test while the operator has turned webhooks off. */
export const isOff = errorsOf('not_allowed')(
  'Account webhooks are turned off on this gateway. Ask its operator to turn them on.',
);
const hasNone = errorsOf('not_found')('The account has no webhook.');

/** @throws GatewayError `store_unavailable`, from every method. */
export class AccountWebhooks {
  readonly #deps: AccountWebhooksDeps;
  readonly #key: Uint8Array;

  constructor(deps: AccountWebhooksDeps) {
    this.#deps = deps;
    this.#key = createHash('sha256').update(`webhook\n${deps.secret.reveal()}`, 'utf8').digest();
  }

  /** Whether accounts may have webhooks. */
  get isOn(): boolean {
    return this.#deps.reach !== 'off';
  }

  async get(accountId: string): Promise<AccountWebhook | null> {
    const row = await this.#row(accountId);
    if (row === undefined) return null;
    return {
      url: text(row, 'url'),
      createdAtMs: Number(integer(row, 'created_at_ms')),
      changedAtMs: Number(integer(row, 'changed_at_ms')),
      earlierUntilMs: this.#earlierUntilMs(row),
    };
  }

  /** Returns the account's webhook; null if it has none. */
  async target(accountId: string): Promise<WebhookTarget | null> {
    const row = await this.#row(accountId);
    if (row === undefined) return null;
    const present = this.#opened(accountId, row, 'sealed');
    const isOverlapping = this.#earlierUntilMs(row) !== null;
    const earlier = isOverlapping ? this.#opened(accountId, row, 'earlier_sealed') : null;
    const secrets = present === null ? null : earlier === null ? [present] : [present, earlier];
    return { url: text(row, 'url'), secrets };
  }

  /**
   * Sets the URL of the webhook.
   * @returns the new secret. Null if the account already had a webhook: its secret does not change.
   * @throws GatewayError `not_allowed` (webhooks are off), `invalid_value`.
   */
  async set(accountId: string, url: string, actor: string): Promise<Secret | null> {
    const { reach, clock } = this.#deps;
    if (reach === 'off') throw isOff();
    const problem = addressProblem(url, reach === 'private');
    if (problem !== null)
      throw new GatewayError('invalid_value', `url ${problem}.`, { param: 'url' });
    const { secret, sealed } = this.#draw(accountId);
    const { href, host } = new URL(url);
    const nowMs = clock.nowMs();
    const [row] = await this.#change(
      statement`INSERT INTO account_webhook (account_id, url, sealed, created_at_ms, changed_at_ms)
        VALUES (${accountId}, ${href}, ${sealed}, ${nowMs}, ${nowMs})
        ON CONFLICT (account_id) DO UPDATE SET url = excluded.url,
        changed_at_ms = excluded.changed_at_ms RETURNING sealed`,
      { actor, action: 'account.webhook_set', accountId, detail: { host } },
    );
    const kept = row?.['sealed'];
    return kept instanceof Uint8Array && Buffer.from(kept).equals(sealed) ? secret : null;
  }

  /**
   * Replaces the secret. The replaced secret still signs for `overlapMs`; older secrets stop at
   * once.
   * @throws GatewayError `not_found`.
   */
  async rotate(accountId: string, overlapMs: number, actor: string): Promise<Secret> {
    const { secret, sealed } = this.#draw(accountId);
    const nowMs = this.#deps.clock.nowMs();
    const overlaps = overlapMs > 0 ? 1 : 0;
    const rows = await this.#change(
      statement`UPDATE account_webhook SET sealed = ${sealed}, changed_at_ms = ${nowMs},
        earlier_sealed = CASE WHEN ${overlaps} = 1 THEN sealed END,
        earlier_until_ms = CASE WHEN ${overlaps} = 1 THEN CAST(${nowMs + overlapMs} AS BIGINT) END
        WHERE account_id = ${accountId} RETURNING account_id`,
      { actor, action: 'account.webhook_rotate', accountId },
    );
    if (rows.length === 0) throw hasNone();
    return secret;
  }

  /** Deletes replaced secrets that no longer sign deliveries. */
  async forgetSecrets(): Promise<void> {
    await this.#deps.sql.query(statement`UPDATE account_webhook SET earlier_sealed = NULL,
      earlier_until_ms = NULL WHERE earlier_until_ms <= ${this.#deps.clock.nowMs()}
      RETURNING account_id`);
  }

  /** Removes the webhook, and ends its queued deliveries. @throws GatewayError `not_found`. */
  async remove(accountId: string, actor: string): Promise<void> {
    const rows = await this.#change(
      statement`DELETE FROM account_webhook WHERE account_id = ${accountId} RETURNING account_id`,
      { actor, action: 'account.webhook_remove', accountId },
      endAllOf(accountId, this.#deps.clock.nowMs()),
    );
    if (rows.length === 0) throw hasNone();
  }

  async #change(
    change: SqlStatement,
    { actor, action, accountId, detail = {} }: Change,
    ...more: readonly SqlStatement[]
  ): Promise<readonly SqlRow[]> {
    const entry = auditEntry(this.#deps.clock, actor, action, accountId, detail);
    const [rows = []] = await this.#deps.sql.transaction([change, ...more], entry);
    return rows;
  }

  async #row(accountId: string): Promise<SqlRow | undefined> {
    const [row] = await this.#deps.sql.query(statement`SELECT url, sealed, created_at_ms,
      changed_at_ms, earlier_sealed, earlier_until_ms FROM account_webhook WHERE account_id = ${accountId}`);
    return row;
  }

  #draw(accountId: string): { readonly secret: Secret; readonly sealed: Uint8Array } {
    const { clock } = this.#deps;
    const value = `whsec_${Buffer.from(clock.randomBytes(SECRET_BYTES)).toString('base64url')}`;
    const nonce = clock.randomBytes(NONCE_BYTES);
    const sealed = sealBytes(this.#key, accountId, nonce, Buffer.from(value));
    return { secret: new Secret(value), sealed };
  }

  #earlierUntilMs(row: SqlRow): number | null {
    const untilMs = numberOrNull(row, 'earlier_until_ms');
    return untilMs !== null && untilMs > this.#deps.clock.nowMs() ? untilMs : null;
  }

  #opened(accountId: string, row: SqlRow, column: 'sealed' | 'earlier_sealed'): Secret | null {
    const sealed = row[column];
    if (!(sealed instanceof Uint8Array)) return null;
    try {
      return new Secret(Buffer.from(openBytes(this.#key, accountId, sealed)).toString());
    } catch {
      // The secret was encrypted with another console key. The caller records this as the outcome
      // of the delivery.
      return null;
    }
  }
}

type Change = {
  readonly actor: string;
  readonly action: AuditAction;
  readonly accountId: string;
  readonly detail?: Readonly<Record<string, string>>;
};
