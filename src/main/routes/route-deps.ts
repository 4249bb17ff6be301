/** Builds dependencies that routes of several audiences share. */
import type { Config } from '../../config/config.ts';
import { AuditLog } from '../../reports/audit-log.ts';
import { StatementsByMonth } from '../../reports/monthly-statements.ts';
import { RequestCosts } from '../../reports/request-cost.ts';
import { RequestHistogram } from '../../reports/request-histogram.ts';
import { RequestLog } from '../../reports/request-log.ts';
import { Statements } from '../../reports/statements.ts';
import { UsageReport } from '../../reports/usage-report.ts';
import { RefusalLog } from '../../telemetry/refused/refusal-log.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { Rooms } from '../rooms.ts';

export type Reports = ReturnType<typeof reportsOf>;

/** Returns the reports that several routes read. */
export function reportsOf({ clock }: GatewayDeps, { store, telemetry }: Rooms) {
  const { sql, reports } = store.database;
  const usage = new UsageReport(reports);
  return {
    statements: new Statements(sql),
    months: new StatementsByMonth(reports),
    requests: new RequestLog(sql, reports),
    costs: new RequestCosts(sql),
    usage,
    histogram: new RequestHistogram(reports, usage),
    audit: new AuditLog(sql),
    refusals: new RefusalLog(sql, () => telemetry.refusals.flush()),
    clock,
  };
}

/** Returns the dependencies of the routes that change and read the log of prompts. */
export function promptDeps({ telemetry, secrets, accounts, routing }: Rooms) {
  const { prompts, promptSwitch } = telemetry;
  return {
    prompts: {
      one: prompts.one.bind(prompts),
      delete: prompts.delete.bind(prompts),
      noteRead: prompts.noteRead.bind(prompts),
      requireKey: () => secrets.firstKey(),
    },
    promptSwitch,
    accounts,
    keptMs: () => routing.live.config.retention.prompts,
  };
}

/** Returns the catalogue if it is public; otherwise null. */
export const catalogueIn = ({ routing: { live } }: Rooms) =>
  live.config.catalogue.public ? live.current : null;

export const isStatusPublic = ({ status, catalogue }: Config): boolean =>
  status.public && catalogue.public;
