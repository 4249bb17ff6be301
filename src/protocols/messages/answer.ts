/** Reads a non-streaming Messages answer, and writes it for the caller with the cost in `usage`. */
import { replacedText } from '../../json/edit.ts';
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { failedAnswer, unreadableAnswer } from '../broken-answer.ts';
import type { CostFields, TextAnswer } from '../dialect.ts';
import type { Quirks } from '../quirks.ts';
import type { AnswerContext } from '../translator.ts';
import { addCostMembers, usageWithCost } from '../usage-object.ts';
import { reportedError } from './errors.ts';
import { outputBytesOf } from './stream-event.ts';
import { billedUsage, estimatedCounts, messagesReport } from './usage.ts';

/** Maximum nesting of an answer. Tool arguments may nest as deep as the caller's schema. */
const MAX_ANSWER_DEPTH = 1_000;

/**
 * Reads an answer. `write` keeps the upstream's bytes except for the model's name and the cost in
 * `usage`. An error object becomes `facts.error`.
 * @throws GatewayError `upstream_failed` for a body that is neither a message nor an error.
 */
export function readMessagesAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  { quirks }: Pick<AnswerContext, 'quirks'>,
): TextAnswer {
  const body = scan(bytes);
  const json = readable(() => body.parse());
  if (json['type'] === 'error' || isJsonObject(json['error']))
    return failedAnswer(reportedError(json));
  const { content } = json;
  if (!Array.isArray(content)) throw unreadableAnswer(new Error('the answer has no content'));
  const report = messagesReport(json, json['usage'], quirks);
  const outputBytes = content.reduce<number>((sum, block) => sum + blockBytes(block), 0);
  const finishReason = asString(json['stop_reason']);
  return {
    facts: {
      usage: billedUsage(report, finishReason, outputBytes),
      served: report.served,
      outputBytes,
      finishReason,
      error: null,
    },
    write: ({ model, cost }) => {
      const edits = new Map<string, string>();
      edits.set('model', JSON.stringify(model));
      edits.set('usage', usageText(body, asJsonObject(json['usage']), { cost, quirks }));
      return replacedText(body, edits);
    },
  };
}

type Pricing = { readonly cost: CostFields; readonly quirks: Pick<Quirks, 'reportedCost'> };

function usageText(
  { members, bytes }: ScannedObject,
  parsed: JsonObject | null,
  { cost, quirks: { reportedCost } }: Pricing,
): string {
  const span = members.get('usage');
  // Clients require counts of input and output tokens, even if the upstream reported none.
  if (cost.estimated !== null || parsed === null || span === undefined)
    return usageWithCost(estimatedCounts(cost.estimated ?? NO_USAGE), cost);
  const edits = new Map<string, string | null>();
  addCostMembers(edits, cost, reportedCost);
  try {
    return replacedText(scan(bytes.subarray(span.start, span.end)), edits);
  } catch {
    // The usage has a key twice, so its bytes cannot be edited. The answer is already charged.
    return usageWithCost(parsed, cost, reportedCost);
  }
}

/** Counts the output bytes in a block. Tool arguments count as JSON text, as in a stream. */
function blockBytes(value: unknown): number {
  const block = asJsonObject(value) ?? {};
  const input = asJsonObject(block['input']);
  const argumentBytes = input === null ? 0 : Buffer.byteLength(JSON.stringify(input));
  return outputBytesOf(block) + argumentBytes;
}

const scan = (bytes: Uint8Array<ArrayBuffer>): ScannedObject =>
  readable(() => scanObject(bytes, MAX_ANSWER_DEPTH));

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw unreadableAnswer(thrown);
  }
}
