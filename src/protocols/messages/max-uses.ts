/** Limits the uses of tools that the provider runs, where the request sets no limit. */
import { memberText } from '../../json/edit.ts';
import { parseExact } from '../../json/exact-numbers.ts';
import { isJsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { FeeUnit } from '../../money/served.ts';
import { type ServerTool, usesIn } from '../inputs/request-extras.ts';
import type { FieldPlan } from '../request-fields.ts';
import { missing, unsupportedValue } from '../validation.ts';

/** The tools that accept `max_uses`. */
const LIMITED: ReadonlySet<FeeUnit> = new Set(['web_search', 'web_fetch']);

/** The most uses of a tool, and tokens of a result, that the hold covers. */
export type ToolLimits = { readonly uses: number; readonly tokensPerUse: number };

/**
 * Returns a plan that limits the provider's tools to what the hold covers: it adds `max_uses` where
 * it is missing, and limits the `max_content_tokens` of fetches.
 * @throws GatewayError for a tool inside messages that would need such a limit.
 */
export function withMaxUses(
  plan: FieldPlan,
  body: ScannedObject,
  serverTools: readonly ServerTool[],
  most: (unit: FeeUnit) => ToolLimits,
): FieldPlan {
  const limitless = new Map<string, ServerTool>();
  for (const tool of serverTools) {
    const { unit, param, maxUses } = tool;
    if (!LIMITED.has(unit) || (maxUses !== null && unit !== 'web_fetch')) continue;
    if (!param.startsWith('tools[')) refuseInside(tool);
    limitless.set(param, tool);
  }
  const tools = limitless.size === 0 ? null : parseExact(memberText(body, 'tools') ?? 'null');
  if (!Array.isArray(tools)) return plan;
  const limited = tools.map((tool: unknown, index) => {
    const known = limitless.get(`tools[${index}]`);
    if (known === undefined || !isJsonObject(tool)) return tool;
    const { uses, tokensPerUse } = most(known.unit);
    const asked = usesIn(tool['max_content_tokens']) ?? tokensPerUse;
    const content =
      known.unit === 'web_fetch' ? { max_content_tokens: Math.min(asked, tokensPerUse) } : {};
    return { ...tool, max_uses: known.maxUses ?? uses, ...content };
  });
  return { ...plan, edits: new Map(plan.edits).set('tools', JSON.stringify(limited)) };
}

function refuseInside({ unit, param }: ServerTool): never {
  if (unit === 'web_fetch')
    throw unsupportedValue(`${param}.type`, 'is not sold inside messages; move it to tools');
  throw missing(`${param}.max_uses`, 'it must be how often a tool inside messages may be used');
}
