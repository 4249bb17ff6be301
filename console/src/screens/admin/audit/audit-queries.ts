/** The audit log as the API gives it. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { given } from '../../../api/given.ts';
import type { components } from '../../../api/schema.gen.ts';
import { PAGING } from '../../../components/tables/paged-table.tsx';
import type { AuditSearch } from './audit-search.ts';

export type AuditEntry = components['schemas']['AuditEntry'];

const PAGE_ENTRIES = 50;

export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', search],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ ...search, limit: PAGE_ENTRIES, after: pageParam });
      return answerOf(api.GET('/admin/v1/audit', { params: { query }, signal }));
    },
    ...PAGING,
  });

/** Checks the chain from its beginning to the newest entry. */
export async function checkChain() {
  const query = { limit: 1, verify: 'true' } as const;
  const { chain } = await answerOf(api.GET('/admin/v1/audit', { params: { query } }));
  if (chain === undefined) throw new Error('the answer does not say how the chain is');
  return chain;
}

/** The same entries as a file. */
export const auditCsvAddress = (search: AuditSearch): string =>
  `/admin/v1/audit?${new URLSearchParams({ ...search, format: 'csv' })}`;

type AuditAction = components['schemas']['AuditAction'];

const SUGGESTED = {
  'account.alert': true,
  'account.create': true,
  'account.limit': true,
  'account.restore': true,
  'account.suspend': true,
  'account.update': true,
  'backup.create': true,
  'card.publish': true,
  'invitation.create': true,
  'invitation.take_back': true,
  'key.create': true,
  'key.disable': true,
  'key.enable': true,
  'key.limit': true,
  'key.revoke': true,
  'key.rotate': true,
  'key.update': true,
  'person.change': true,
  'person.join': true,
  'person.password': true,
  'person.recovery_codes': true,
  'person.remove': true,
  'person.reset_link': true,
  'person.reset_password': true,
  'person.setup': true,
  'person.sign_up': true,
  'person.totp_clear': true,
  'person.totp_off': true,
  'person.totp_on': true,
  'rate.publish': true,
  'redeem_batch.cancel': true,
  'redeem_batch.create': true,
  'setup_link.create': true,
  'sign_in.pause': true,
  'wallet.adjust': true,
  'wallet.credit': true,
  'wallet.credit_limit': true,
  'wallet.exchange': true,
  'wallet.refund': true,
} satisfies Record<AuditAction, true>;

/** For suggestions: every action that the log may have. A missing or unknown one is a type error. */
export const AUDIT_ACTIONS = Object.keys(SUGGESTED);
