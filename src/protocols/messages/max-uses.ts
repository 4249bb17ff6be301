/** Limits how often the provider may run its own tools for a request that sets no limit itself. */
import { memberText } from '../../json/edit.ts';
import { parseExact } from '../../json/exact-numbers.ts';
import { isJsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { CardLimits } from '../../money/card-terms.ts';
import type { FeeUnit } from '../../money/served.ts';
import {
  contentTokens,
  type ServerTool,
  toolLimits,
  unlimitedTool,
} from '../inputs/server-tools.ts';
import type { FieldPlan } from '../request-fields.ts';
import { missing, unsupportedValue } from '../validation.ts';

/** The tools that accept `max_uses`. */
const LIMITED: ReadonlySet<FeeUnit> = new Set(['web_search', 'web_fetch']);

/**
 * Returns the field plan, which says how the request's fields are sent, with limits on the
 * provider's tools, so that the hold covers their fees and tokens. Adds a missing `max_uses`. Also
 * limits the `max_content_tokens` of fetches if the price card limits the length of web pages.
 * @throws GatewayError for a tool whose uses cannot be limited, or that needs a limit but is
 *   defined inside messages.
 */
export function withMaxUses(
  plan: FieldPlan,
  body: ScannedObject,
  serverTools: readonly ServerTool[],
  limits: CardLimits,
): FieldPlan {
  const limitless = new Map<string, ServerTool>();
  for (const tool of serverTools) {
    const { unit, param, maxUses } = tool;
    if (!LIMITED.has(unit)) {
      if (limits.uses[unit] === undefined) throw unlimitedTool(tool);
      continue;
    }
    if (maxUses !== null && !isCut(tool, limits)) continue;
    if (!param.startsWith('tools[')) refuseInside(tool, limits);
    limitless.set(param, tool);
  }
  const tools = limitless.size === 0 ? null : parseExact(memberText(body, 'tools') ?? 'null');
  if (!Array.isArray(tools)) return plan;
  const limited = tools.map((tool: unknown, index) => {
    const known = limitless.get(`tools[${index}]`);
    if (known === undefined || !isJsonObject(tool)) return tool;
    const most = toolLimits(known, limits);
    const content = isCut(known, limits)
      ? { max_content_tokens: contentTokens(tool['max_content_tokens'], most) }
      : {};
    return { ...tool, max_uses: known.maxUses ?? most.uses, ...content };
  });
  return { ...plan, edits: new Map(plan.edits).set('tools', JSON.stringify(limited)) };
}

/**
 * Whether the length of fetched web pages is limited. If not, the hold covers a web page of any
 * length.
 */
const isCut = (tool: ServerTool, limits: CardLimits): boolean =>
  tool.unit === 'web_fetch' && Number.isFinite(toolLimits(tool, limits).tokensPerUse);

function refuseInside(tool: ServerTool, limits: CardLimits): never {
  const { param } = tool;
  if (isCut(tool, limits))
    throw unsupportedValue(`${param}.type`, 'is not sold inside messages; move it to tools');
  throw missing(`${param}.max_uses`, 'it must be the maximum number of uses of this tool');
}
