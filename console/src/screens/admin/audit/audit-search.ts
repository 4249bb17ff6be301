/** The filters of the audit log, which are kept in the page's URL. */
import type { SearchTexts } from '#screens/admin/search-texts.ts';

export const AUDIT_FILTERS = ['subject', 'actor', 'action', 'from', 'to'] as const;
export type AuditFilter = (typeof AUDIT_FILTERS)[number];
export type AuditSearch = SearchTexts<AuditFilter>;
