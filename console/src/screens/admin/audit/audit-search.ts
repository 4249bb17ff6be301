/** The filters of the audit log, which are kept in the page's URL. */
import { day, searchReader, text } from '#components/search-reader.ts';

export const auditSearch = searchReader({
  subject: text,
  actor: text,
  action: text,
  from: day,
  to: day,
});
export type AuditSearch = ReturnType<typeof auditSearch>;
