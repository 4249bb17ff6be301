/** Matches tool calls with their outputs. */
import { asFilledString, type JsonObject } from '../../json/object.ts';
import { invalid, missing } from '../validation.ts';

/**
 * An item of `input` with its path. If the JSON has no type, `type` is the type that the other
 * members imply.
 */
export type Item = { readonly type: string; readonly json: JsonObject; readonly path: string };

const CALLS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'tool_search_call',
]);
const OUTPUTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'tool_search_output',
]);

/**
 * Whether an item belongs to a tool search that the provider ran. Such an item needs no matching.
 */
export const isServerSearch = ({ type, json }: Item): boolean =>
  type.startsWith('tool_search_') && json['execution'] === 'server';

/**
 * Returns the call of each output. Some servers repeat their ids in each turn, so an id may be used
 * again once its call has an output.
 * @throws GatewayError for an output without a call before it, for a second output of a call, and
 * for two calls with one id that both wait for an output.
 */
export function callsOfOutputs(items: readonly Item[]): ReadonlyMap<Item, Item> {
  const waiting = new Map<string, Item>();
  const calls = new Map<Item, Item>();
  for (const item of items) {
    if (isServerSearch(item)) continue;
    const isCall = CALLS.has(item.type);
    if (!isCall && !OUTPUTS.has(item.type)) continue;
    const param = `${item.path}.call_id`;
    const id = asFilledString(item.json['call_id']);
    if (id === null) throw missing(param, 'it must be the id of the call');
    const call = waiting.get(id);
    if (isCall) {
      if (call !== undefined) {
        throw invalid(param, `is also the call_id of ${call.path}; give each call its own id`);
      }
      waiting.set(id, item);
      continue;
    }
    if (call === undefined) {
      throw invalid(
        param,
        'must be the call_id of an earlier call that has no other output; send the call too, or ' +
          'remove the output',
      );
    }
    waiting.delete(id);
    calls.set(item, call);
  }
  return calls;
}
