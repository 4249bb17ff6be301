/** Limits the uses of tools that the provider runs, where the request sets no limit. */
import { memberText } from '../../json/edit.ts';
import { parseExact } from '../../json/exact-numbers.ts';
import { isJsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { FeeUnit } from '../../money/served.ts';
import type { ServerTool } from '../inputs/request-extras.ts';
import type { FieldPlan } from '../request-fields.ts';
import { missing } from '../validation.ts';

/** The tools that accept `max_uses`. */
const LIMITED: ReadonlySet<FeeUnit> = new Set(['web_search', 'web_fetch']);

/**
 * Returns a plan that writes `max_uses` on each tool of the provider where it is missing.
 * @throws GatewayError `missing_required_parameter` for a tool inside messages without it.
 */
export function withMaxUses(
  plan: FieldPlan,
  body: ScannedObject,
  serverTools: readonly ServerTool[],
  most: (unit: FeeUnit) => number,
): FieldPlan {
  for (const { unit, param, maxUses } of serverTools) {
    if (maxUses !== null || !LIMITED.has(unit) || param.startsWith('tools[')) continue;
    throw missing(`${param}.max_uses`, 'it must be how often a tool inside messages may be used');
  }
  const unlimited = new Map(
    serverTools.flatMap(({ unit, param, maxUses }) =>
      maxUses === null && LIMITED.has(unit) ? [[param, most(unit)]] : [],
    ),
  );
  const tools = unlimited.size === 0 ? null : parseExact(memberText(body, 'tools') ?? 'null');
  if (!Array.isArray(tools)) return plan;
  const limited = tools.map((tool: unknown, index) => {
    const max_uses = unlimited.get(`tools[${index}]`);
    return max_uses === undefined || !isJsonObject(tool) ? tool : { ...tool, max_uses };
  });
  return { ...plan, edits: new Map(plan.edits).set('tools', JSON.stringify(limited)) };
}
