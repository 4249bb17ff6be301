/** A tool's result as chat has it: text in a `tool` message, what is no text in a user message behind. */
import { asString } from '../../json/object.ts';
import { blocksOf, type PlacedBlock, partsOf, textsOf } from './content.ts';
import { type ChatPart, textPart } from './media.ts';

export type ToolResult = {
  readonly text: string;
  /** Pictures and files of the result, which a `tool` message has no place for. */
  readonly shown: readonly ChatPart[];
};

/** Said in front of a result that is an error, for which chat has no mark. */
const ERROR_MARK = 'Error: ';

/** @throws GatewayError `unsupported_value` naming a block that cannot be said. */
export function toolResult({ block, path }: PlacedBlock): ToolResult {
  const parts = blocksOf(block['content'], `${path}.content`).flatMap(partsOf);
  const shown = parts.filter(({ type }) => type !== 'text');
  const name = asString(block['tool_use_id']) ?? '';
  const texts = [
    textsOf(parts),
    shown.length === 0 ? '' : 'What it shows is in the next user message.',
  ].filter((text) => text !== '');
  const text = texts.join('\n\n');
  return {
    text: block['is_error'] === true ? `${ERROR_MARK}${text}` : text,
    shown: shown.length === 0 ? [] : [textPart(`Shown by tool call ${name}:`), ...shown],
  };
}
