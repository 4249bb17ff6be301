/** The filters of the audit log, which are kept in the page's URL. */
import { dayOrTime, searchReader, text } from '#components/search-reader.ts';

export const auditSearch = searchReader({
  subject: text,
  actor: text,
  action: text,
  from: dayOrTime,
  to: dayOrTime,
});
export type AuditSearch = ReturnType<typeof auditSearch>;
