/** The audit log: who changed what, and when. Each entry's hash covers the entry before it. */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';

/** All actions, as `noun.verb`. Some of them are only in old entries, from earlier versions. */
export const AUDIT_ACTIONS = [
  'account.alert',
  'account.create',
  'account.limit',
  'account.move_in',
  'account.restore',
  'account.suspend',
  'account.update',
  'account.view',
  'account.view_end',
  'account.webhook_remove',
  'account.webhook_rotate',
  'account.webhook_set',
  'account.webhook_test',
  'backup.create',
  'backup.restore',
  'card.publish',
  'config.change',
  'invitation.create',
  'invitation.take_back',
  'key.create',
  'key.disable',
  'key.enable',
  'key.limit',
  'key.move_in',
  'key.revoke',
  'key.rotate',
  'key.update',
  'ledger.archive',
  'ledger.reset_windows',
  'mail.resend',
  'mail.test',
  'notice.create',
  'notice.delete',
  'notice.edit',
  'notice.update',
  'person.change',
  'person.identity_link',
  'person.join',
  'person.limits',
  'person.leave',
  'person.move_in',
  'person.passkey_add',
  'person.passkey_remove',
  'person.passkey_rename',
  'person.password',
  'person.recovery_codes',
  'person.remove',
  'person.rename',
  'person.reset_link',
  'person.reset_password',
  'person.setup',
  'person.sign_up',
  'person.totp_clear',
  'person.totp_off',
  'person.totp_on',
  'prompt_log.delete',
  'prompt_log.off',
  'prompt_log.on',
  'prompt_log.read',
  'rate.publish',
  'redeem_batch.cancel',
  'redeem_batch.create',
  'route.disable',
  'route.drain',
  'route.enable',
  'secret.delete',
  'secret.rotate',
  'secret.set',
  'setup_link.create',
  'sign_in.pause',
  'wallet.adjust',
  'wallet.credit',
  'wallet.credit_limit',
  'wallet.exchange',
  'wallet.refund',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The details of a change. Never contains secrets. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export type AuditEntry = {
  readonly atMs: number;
  /** `admin`, `system`, or the id of an API key or a person. */
  readonly actor: string;
  readonly action: AuditAction;
  /** The id of the object that the action changed. */
  readonly subject: string;
  readonly detail: AuditDetail;
};

/** Returns an entry with the current time. */
export const auditEntry = (
  clock: Pick<Clock, 'nowMs'>,
  actor: string,
  action: AuditAction,
  subject: string,
  detail: AuditDetail = {},
): AuditEntry => ({ atMs: clock.nowMs(), actor, action, subject, detail });

/** Used as the previous hash of the first entry, because no entry comes before it. */
export const GENESIS = new Uint8Array(32);

/** An entry as a row. `detail` is the exact text that was hashed. */
export type AuditRow = Omit<AuditEntry, 'action' | 'detail'> & {
  readonly action: string;
  /** The number of the entry: 1, 2, 3, ... without a gap. */
  readonly id: bigint;
  readonly detail: string;
};

/**
 * The id and the hash of the last entry, after which the next entry is added; 0 and `GENESIS` when
 * the log is empty.
 */
export type AuditHead = { readonly id: bigint; readonly hash: Uint8Array };

/**
 * Returns `entry` as a row with its id and hash. The row follows `head`, the last entry of the log.
 */
export function auditAfter(
  head: AuditHead,
  entry: AuditEntry,
): AuditRow & { readonly hash: Uint8Array } {
  const row: AuditRow = {
    id: head.id + 1n,
    atMs: entry.atMs,
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    detail: JSON.stringify(entry.detail),
  };
  return { ...row, hash: auditHash(head.hash, row) };
}

/**
 * Returns the hash of a row: the SHA-256 of the previous entry's hash, followed by the row's
 * fields, one per line. SQLite and PostgreSQL yield the same hash.
 */
export function auditHash(previous: Uint8Array, row: AuditRow): Uint8Array {
  const lines = [row.id, row.atMs, row.actor, row.action, row.subject, row.detail].join('\n');
  // Loading `node:crypto` would take a third of the time in which the store's thread starts. The
  // thread needs nothing else from that module.
  return new Bun.CryptoHasher('sha256').update(previous).update(lines).digest();
}

/** Characters that could end a line of the hashed text, or that a store could change. */
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** @throws GatewayError `invalid_value` naming the invalid field. */
export function checkAudit(entry: AuditEntry): void {
  if (!Number.isSafeInteger(entry.atMs)) {
    throw new GatewayError('invalid_value', 'atMs must be whole milliseconds since 1970.', {
      param: 'atMs',
    });
  }
  for (const field of ['actor', 'action', 'subject'] as const) checkAuditField(field, entry[field]);
}

/** @throws GatewayError `invalid_value` */
export function checkAuditField(field: string, text: string): void {
  if (text !== '' && !NOT_ONE_LINE.test(text)) return;
  const message = `${field} must be one line of text without control characters.`;
  throw new GatewayError('invalid_value', message, { param: field });
}
