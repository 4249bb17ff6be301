/** Limits how often the provider's tools may be called for a Responses request. */
import { memberText } from '../../json/edit.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { CardLimits } from '../../money/card-terms.ts';
import { type ServerTool, toolLimits, usesIn } from '../inputs/server-tools.ts';
import type { FieldPlan } from '../request-fields.ts';

const FIELD = 'max_tool_calls';

/**
 * Returns the field plan with a limit on the total calls of all the provider's tools, so that the
 * hold covers them. Keeps the limit that the caller set if it is not higher.
 * @param serverTools the provider's tools that the price card sells.
 */
export function withMaxToolCalls(
  plan: FieldPlan,
  body: ScannedObject,
  serverTools: readonly ServerTool[],
  limits: CardLimits,
): FieldPlan {
  const asked = usesIn(JSON.parse(memberText(body, FIELD) ?? 'null'));
  const most = serverTools.reduce((sum, tool) => sum + toolLimits(tool, limits).uses, 0);
  if (asked !== null && asked <= most) return plan;
  return { ...plan, edits: new Map(plan.edits).set(FIELD, String(most)) };
}
