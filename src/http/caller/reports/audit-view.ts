/** Audit log entries as the API shows them. */
import * as z from 'zod';
import type { AuditLine } from '../../../reports/audit-log.ts';
import { AUDIT_ACTIONS } from '../../../store/audit.ts';
import { count, next, span, time } from '../../edge/answer-schema.ts';
import { isoTime } from '../account-body.ts';
import { viewsOf } from './report-view.ts';

/** The actions in the audit log. Later versions may add actions, so clients accept unknown ones. */
const AUDIT_ACTION = z
  .enum(AUDIT_ACTIONS)
  .meta({ id: 'AuditAction', description: 'The recorded action. Later versions may add more.' });

const string = z.string();
const { text, figure, view } = viewsOf<AuditLine>();
/** An audit log entry. `detail` is the exact text that was hashed, for verifying the hash chain. */
export const AUDIT = view(
  { id: 'AuditEntry' },
  {
    id: figure(count, ({ id }) => Number(id)),
    at: figure(time, ({ atMs }) => isoTime(atMs)),
    actor: text(
      string.meta({
        description: 'Who acted: `admin`, `system`, or the id of an API key or a person.',
      }),
      ({ actor }) => actor,
    ),
    action: text(z.union([AUDIT_ACTION, string]), ({ action }) => action),
    subject: text(string, ({ subject }) => subject),
    detail: text(
      z.union([z.record(z.string(), z.unknown()), string]).meta({
        description:
          'Details of the action, with `before` and `after` for a change. If this is a string, the entry was tampered with.',
      }),
      ({ detail }) => detail,
    ),
    hash: text(
      string.meta({
        description: 'The hash over this entry and the hash of the previous entry, in hexadecimal.',
      }),
      ({ hash }) => hash,
    ),
  },
);
export const AUDIT_PAGE = z.strictObject({
  data: z.array(AUDIT.schema),
  next,
  ...span,
  chain: z
    .strictObject({ verified_up_to: count, ok: z.boolean(), first_broken_id: count.nullable() })
    .optional()
    .meta({ description: 'The result of checking the hash chain, if `verify` is true.' }),
});

/** Returns an entry as JSON, in which `detail` and its states `before` and `after` are objects. */
export const auditBody = (line: AuditLine) => ({
  ...AUDIT.body(line),
  detail: detailOf(line.detail),
});

function detailOf(text: string): unknown {
  const detail = parsedObject(text);
  if (typeof detail !== 'object' || detail === null) return detail;
  const fields = Object.entries(detail).map(([name, value]: [string, unknown]) => [
    name,
    name === 'before' || name === 'after' ? parsedObject(value) : value,
  ]);
  return Object.fromEntries(fields);
}

/** Parses a JSON object. Returns other text unchanged, such as a masked key or a tampered entry. */
function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    // A tampered entry may be invalid JSON, so it is listed as text. Verifying the hash chain
    // reports it.
    return value;
  }
}
