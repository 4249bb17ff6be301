/**
 * Limits the uses of tools that a provider of chat completions runs itself. The limits are written
 * into the request, as parameters that servers of the provider's make obey.
 */
import { memberText } from '../../json/edit.ts';
import { parseExact } from '../../json/exact-numbers.ts';
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { CardLimits } from '../../money/card-terms.ts';
import {
  contentTokens,
  type LimitedTool,
  type LimitedTools,
  type ServerTool,
  type ToolLimits,
  toolLimits,
  unlimitedTool,
  usesIn,
} from '../inputs/server-tools.ts';
import type { FieldPlan } from '../request-fields.ts';
import { unsupportedParameter, unsupportedValue } from '../validation.ts';
import { isOfOneMake, parametersOf } from './fields.ts';

/**
 * The maximum number of tokens for one character: it has at most four bytes in UTF-8, and each byte
 * is at most one token.
 */
const CHARACTER_TOKENS = 4;

/**
 * Returns the field plan (the edits of the request's fields) with limits added to the provider's
 * tools, so that the hold covers all uses of these tools.
 * @throws GatewayError for a tool whose uses cannot be limited, and for parameters that have no
 *   price.
 */
export function withToolLimits(
  plan: FieldPlan,
  body: ScannedObject,
  serverTools: readonly ServerTool[],
  known: LimitedTools,
  limits: CardLimits,
): FieldPlan {
  const limited = new Map<string, ServerTool>();
  for (const tool of serverTools) {
    if (known[tool.type] !== undefined) limited.set(tool.param, tool);
    // This server does not obey a limit on this tool in the request, so the price card must limit
    // the uses. A tool of another kind of server is always refused, because its hold was computed
    // from limits that only servers of that kind obey.
    else if (isOfOneMake(tool.type) || limits.uses[tool.unit] === undefined)
      throw unlimitedTool(tool);
  }
  if (limited.size === 0) return plan;
  const tools = asArray(parseExact(memberText(body, 'tools') ?? 'null'));
  const sent = tools.map((given, index) => {
    const tool = limited.get(`tools[${index}]`);
    const rule = tool === undefined ? undefined : known[tool.type];
    if (tool === undefined || rule === undefined) return given;
    return limitedTool(asJsonObject(given) ?? {}, tool, rule, toolLimits(tool, limits));
  });
  return { ...plan, edits: new Map(plan.edits).set('tools', JSON.stringify(sent)) };
}

function limitedTool(
  given: JsonObject,
  tool: ServerTool,
  rule: LimitedTool,
  limits: ToolLimits,
): JsonObject {
  const { param } = tool;
  const { type: _, cache_control, ...members } = given;
  const asked = parametersOf(members);
  const written = writtenParameters(asked, tool, rule, limits);
  const sent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(asked)) {
    if (value === null || name in written) continue;
    if (!rule.sent.includes(name)) {
      const names = [...rule.sent, ...Object.keys(written)].join(', ');
      throw unsupportedParameter(`${param}.${name}`, `only ${names} can be sent here; omit it`);
    }
    sent[name] = value;
  }
  const engine = asked['engine'] ?? 'auto';
  if (engine !== 'auto' && engine !== rule.engine)
    throw unsupportedValue(`${param}.engine`, `only "${rule.engine}" is sold; omit it`);
  return {
    type: rule.type,
    parameters: { ...sent, ...written },
    ...(cache_control === undefined ? {} : { cache_control }),
  };
}

function writtenParameters(
  asked: JsonObject,
  { maxUses }: ServerTool,
  { engine, results }: LimitedTool,
  limits: ToolLimits,
): JsonObject {
  const held = maxUses ?? limits.uses;
  const most = { engine, max_uses: Math.min(usesIn(asked['max_uses']) ?? held, held) };
  if (results === null)
    return { ...most, max_content_tokens: contentTokens(asked['max_content_tokens'], limits) };
  const max_results = Math.min(usesIn(asked['max_results']) ?? results.usual, results.most);
  const characters = Math.floor(limits.tokensPerUse / max_results / CHARACTER_TOKENS);
  const max_characters = Math.min(usesIn(asked['max_characters']) ?? characters, characters);
  return { ...most, max_results, max_characters };
}
