/**
 * Converts the calls and results of a provider's own tools to text, because chat has no such
 * blocks. The conversation can then continue with another model or on another route.
 */
import { asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';

const CALLS: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use']);
const RESULTS: ReadonlySet<unknown> = new Set([
  ...['web_search_tool_result', 'web_fetch_tool_result', 'tool_search_tool_result'],
  ...['code_execution_tool_result', 'bash_code_execution_tool_result'],
  ...['text_editor_code_execution_tool_result', 'mcp_tool_result', 'advisor_tool_result'],
]);

/**
 * Returns the text for a block that is a call of a provider's tool or the result of one; null for
 * any other block.
 */
export function serverBlockText(block: JsonObject, placeholders: Placeholders): string | null {
  const { type, name, input, content } = block;
  if (CALLS.has(type)) {
    const given = placeholders.stringify(asJsonObject(input) ?? {});
    return `[Used the tool ${asFilledString(name) ?? 'of the provider'} with ${given}]`;
  }
  if (!RESULTS.has(type)) return null;
  const lines = readableLines(content);
  return lines.length === 0
    ? '[The result of this tool cannot be read]'
    : `[Result of this tool]\n${lines.join('\n')}`;
}

/**
 * Returns the summary in a compaction block. Returns null for any other block, and if only the
 * provider can read the summary.
 */
export const summaryOf = ({ type, content }: JsonObject): string | null =>
  type === 'compaction' ? asFilledString(content) : null;

/** The members of a result that contain readable text, in the order in which they are written. */
const READABLE = ['title', 'url', 'text', 'stdout', 'stderr', 'tool_name', 'error_code'] as const;
/** The members of a result that contain nested results. */
const NESTED = ['content', 'source', 'tool_references', 'lines'] as const;

/**
 * Maximum nesting depth of a result that is read. For example, a result may contain a fetched web
 * page, which contains a document.
 */
const MAX_DEPTH = 6;

function readableLines(value: unknown, depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  const text = asFilledString(value);
  if (text !== null) return [text];
  if (Array.isArray(value)) return value.flatMap((each) => readableLines(each, depth + 1));
  const object = asJsonObject(value);
  if (object === null) return [];
  const own = READABLE.flatMap((name) => asFilledString(object[name]) ?? []);
  // If a document was fetched as plain text, its text is in `data`. For other documents, `data` is
  // binary.
  const data = object['type'] === 'text' ? asFilledString(object['data']) : null;
  return [
    ...(own.length === 0 ? [] : [own.join(' ')]),
    ...(data === null ? [] : [data]),
    ...NESTED.flatMap((name) => readableLines(object[name], depth + 1)),
  ];
}
