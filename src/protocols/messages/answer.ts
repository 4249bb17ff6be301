/** Reads a non-streaming Messages answer, and writes it for the caller with the cost in `usage`. */
import { OPEN_OBJECT } from '../../json/cursor.ts';
import { replacedText } from '../../json/edit.ts';
import { asJsonObject, asString, isJsonObject } from '../../json/object.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { failedAnswer, unreadableAnswer } from '../broken-answer.ts';
import type { CostFields, TextAnswer } from '../dialect.ts';
import type { ReportedCost } from '../quirks.ts';
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
      edits.set('usage', usageText(body, cost, quirks.reportedCost));
      return replacedText(body, edits);
    },
  };
}

function usageText(body: ScannedObject, cost: CostFields, reported: ReportedCost | null): string {
  const span = body.members.get('usage');
  const usage = span === undefined ? null : body.bytes.subarray(span.start, span.end);
  // Clients require counts of input and output tokens, even if the upstream reported none.
  if (cost.estimated !== null || usage === null || usage[0] !== OPEN_OBJECT) {
    return usageWithCost(estimatedCounts(cost.estimated ?? NO_USAGE), cost);
  }
  const edits = new Map<string, string | null>();
  addCostMembers(edits, cost, reported);
  return replacedText(scan(usage), edits);
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
