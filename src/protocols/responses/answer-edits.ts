/**
 * Rewrites the members of a provider's answer that concern the request. These are the model's name,
 * the cost, and the caller's values that the provider got as digests.
 */
import { OPEN_OBJECT } from '../../json/cursor.ts';
import { memberText, replacedText } from '../../json/edit.ts';
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import type { CostFields } from '../dialect.ts';
import type { Quirks, ReportedCost } from '../quirks.ts';
import { addCostMembers, usageWithCost } from '../usage-object.ts';
import type { ResponseError } from './response-object.ts';
import { correctedCounts, responsesUsage } from './usage.ts';

/** Maximum nesting of an answer, which repeats the request's tools and their schemas. */
export const MAX_ANSWER_DEPTH = 1_000;

/**
 * Fields of the request that an answer repeats. The provider gets them as digests or not at all, so
 * the caller's own values are put back.
 */
const ECHOED = ['prompt_cache_key', 'safety_identifier', 'user', 'metadata'] as const;
/**
 * Maximum length of a value that is put back. Such values stay in memory while the answer streams.
 */
const MAX_ECHO_CHARACTERS = 16_384;

/** The caller's values of the fields that an answer repeats, as JSON text. */
export type Echo = ReadonlyMap<string, string>;

export function echoOf(body: ScannedObject): Echo {
  const echo = new Map<string, string>();
  for (const name of ECHOED) {
    const { start = 0, end = 0 } = body.members.get(name) ?? {};
    const isKept = end > start && end - start <= MAX_ECHO_CHARACTERS;
    const text = isKept ? memberText(body, name) : null;
    if (text !== null && text !== 'null') echo.set(name, text);
  }
  return echo;
}

export type EditedFor = {
  /** The model's name as the caller knows it. */
  readonly model: string;
  readonly echo: Echo;
  /** States where the provider reports its price, which callers do not get. */
  readonly quirks: Pick<Quirks, 'reportedCost'>;
  /** The cost of the answer; null before its end. */
  readonly cost: CostFields | null;
};

/**
 * A response object and its usage, scanned so that they can be edited in place; `usage` is null if
 * the response has none.
 */
export type ScannedResponse = {
  readonly response: ScannedObject;
  readonly usage: ScannedObject | null;
};

/**
 * Scans a response object and the usage in it.
 * @throws GatewayError `invalid_json` for a duplicate key or too deep nesting.
 */
export function scanResponse(bytes: Uint8Array<ArrayBuffer>): ScannedResponse {
  const response = scanObject(bytes, MAX_ANSWER_DEPTH);
  const { start, end } = response.members.get('usage') ?? { start: 0, end: 0 };
  if (bytes[start] !== OPEN_OBJECT || end === 0) return { response, usage: null };
  return { response, usage: scanObject(bytes.subarray(start, end), MAX_ANSWER_DEPTH) };
}

const NO_CHANGES: ReadonlyMap<string, string> = new Map();

/**
 * Returns a response object as JSON text for the caller. Members without changes keep their bytes.
 * @param changes new values of members, such as the status of an answer that failed.
 */
export function editedResponse(
  { response, usage }: ScannedResponse,
  json: JsonObject,
  { model, echo, quirks, cost }: EditedFor,
  changes = NO_CHANGES,
): string {
  const edits = new Map<string, string | null>(echo);
  edits.set('model', JSON.stringify(model));
  // The gateway stores no answers, whatever the provider reports.
  if (json['store'] !== false) edits.set('store', 'false');
  if (cost !== null) {
    edits.set('usage', pricedUsage(usage, json['usage'], cost, quirks.reportedCost));
  } else if (usage !== null) {
    edits.set('usage', 'null');
  }
  for (const [name, text] of changes) edits.set(name, text);
  return replacedText(response, edits);
}

/** Returns the members to change in a response that failed for this reason. */
export const failedMembers = (error: ResponseError): ReadonlyMap<string, string> =>
  new Map([
    ['status', '"failed"'],
    ['error', JSON.stringify(error)],
    ['incomplete_details', 'null'],
  ]);

/** Returns the usage with the counts that clients require, and the cost as its last members. */
function pricedUsage(
  usage: ScannedObject | null,
  given: unknown,
  cost: CostFields,
  reported: ReportedCost | null,
): string {
  if (cost.estimated !== null) return usageWithCost(responsesUsage(cost.estimated), cost);
  const counts = correctedCounts(asJsonObject(given) ?? {});
  if (usage === null) return usageWithCost(counts, cost);
  const edits = new Map<string, string | null>();
  for (const name in counts) edits.set(name, JSON.stringify(counts[name]));
  addCostMembers(edits, cost, reported);
  return replacedText(usage, edits);
}
