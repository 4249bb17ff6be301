/** Asks models for a tool call that they refuse to be forced to. */
import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';

/**
 * Matches names of Claude models that refuse a forced tool call, because they think in each answer.
 */
const REFUSES_FORCE = /claude-(?:(?:opus|sonnet)-5[-.]5(?!\d)|fable-|mythos-)/;

type Body = { readonly members: JsonObject; readonly messages: readonly JsonObject[] };

/**
 * Returns the members and messages of a request. If they force a call and the model refuses that,
 * the call is demanded in words at the end of the messages, where no cached prompt is changed.
 */
export function withForcedCall(body: Body, model: string): Body {
  const { type, name, ...choice } = asJsonObject(body.members['tool_choice']) ?? {};
  const isForced = type === 'any' || type === 'tool';
  if (!isForced || !REFUSES_FORCE.test(model)) return body;
  const tool = type === 'tool' ? `the tool "${asString(name)}"` : 'one of the tools';
  const demand = { type: 'text', text: `Call ${tool} now. Do not answer with text.` };
  const last = body.messages.at(-1);
  const isUsers = last?.['role'] === 'user';
  const content = isUsers ? [...asArray(last?.['content']), demand] : [demand];
  return {
    members: { ...body.members, tool_choice: { type: 'auto', ...choice } },
    messages: [
      ...(isUsers ? body.messages.slice(0, -1) : body.messages),
      { role: 'user', content },
    ],
  };
}
