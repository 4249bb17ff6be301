/**
 * The audit log: who changed which price, key, limit, balance or role, and when. It is only ever appended
 * to, in the transaction of the change itself, and each entry is chained to the one before by a hash, so
 * that an entry which is altered or taken out later is found by `ledger verify`.
 */
import { createHash } from 'node:crypto';
import { GatewayError } from '../errors.ts';

/** Every action that is logged, as `noun.verb`. One that is no longer written stays: old entries have it. */
export const AUDIT_ACTIONS = [
  'account.alert',
  'account.create',
  'account.limit',
  'account.restore',
  'account.suspend',
  'account.update',
  'backup.create',
  'card.publish',
  'invitation.create',
  'invitation.take_back',
  'key.create',
  'key.disable',
  'key.enable',
  'key.limit',
  'key.revoke',
  'key.rotate',
  'key.update',
  'person.change',
  'person.join',
  'person.password',
  'person.recovery_codes',
  'person.remove',
  'person.reset_link',
  'person.reset_password',
  'person.setup',
  'person.sign_up',
  'person.totp_clear',
  'person.totp_off',
  'person.totp_on',
  'rate.publish',
  'redeem_batch.cancel',
  'redeem_batch.create',
  'setup_link.create',
  'sign_in.pause',
  'wallet.adjust',
  'wallet.credit',
  'wallet.credit_limit',
  'wallet.exchange',
  'wallet.refund',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an entry may say of a change. Secrets are never in it. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export type AuditEntry = {
  readonly atMs: number;
  /** `admin`, `system`, or the id of a key or user. */
  readonly actor: string;
  readonly action: AuditAction;
  /** The id of what it was done to. */
  readonly subject: string;
  readonly detail: AuditDetail;
};

/** The hash that the first entry is chained to. */
export const GENESIS = new Uint8Array(32);

/** An entry as a row keeps it: `detail` is the exact text that was hashed. */
export type AuditRow = Omit<AuditEntry, 'action' | 'detail'> & {
  readonly action: string;
  /** 1, 2, 3, ... without a gap. */
  readonly id: bigint;
  readonly detail: string;
};

/** The end of the chain: the last entry's id and hash; 0 and `GENESIS` when there is none. */
export type AuditHead = { readonly id: bigint; readonly hash: Uint8Array };

/** The row that `entry` becomes behind `head`, and its hash. */
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
 * SHA-256 of the previous hash, then the fields in UTF-8, one a line. Every engine computes it alike; no
 * field but the last can hold a line break, and `detail` is JSON, which writes one as an escape.
 */
export function auditHash(previous: Uint8Array, row: AuditRow): Uint8Array {
  const lines = [row.id, row.atMs, row.actor, row.action, row.subject, row.detail].join('\n');
  return createHash('sha256').update(previous).update(lines, 'utf8').digest();
}

/** What could end a line, or what a store would give back as something else: control characters. */
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** @throws GatewayError `invalid_value` naming the field that could not be one line of the chain. */
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
