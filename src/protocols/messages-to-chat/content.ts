/** What stands in a Messages `content`: blocks with their places, and what each comes to in chat. */
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { type ChatPart, documentParts, imagePart, searchResultPart, textPart } from './media.ts';
import { refusedBlock } from './refusal.ts';

export type PlacedBlock = { readonly block: JsonObject; readonly path: string };

/** The blocks of a content; a string is one text block. Empty texts say nothing and are left out. */
export function blocksOf(content: unknown, path: string): readonly PlacedBlock[] {
  if (typeof content === 'string') {
    return content === '' ? [] : [{ block: { type: 'text', text: content }, path }];
  }
  const given: readonly unknown[] = Array.isArray(content) ? content : [];
  return given
    .map((each, index) => ({ block: asJsonObject(each) ?? {}, path: `${path}[${index}]` }))
    .filter(({ block }) => block['type'] !== 'text' || textOf(block) !== '');
}

export const textOf = (block: JsonObject): string => asString(block['text']) ?? '';

/**
 * A block that shows the model something: text, pictures, documents, search results.
 * @throws GatewayError `unsupported_value` naming the block when it is none of these.
 */
export function partsOf({ block, path }: PlacedBlock): readonly ChatPart[] {
  switch (block['type']) {
    case 'text':
      return [textPart(textOf(block))];
    case 'image':
      return [imagePart(block, path)];
    case 'document':
      return documentParts(block, path);
    case 'search_result':
      return [searchResultPart(block, path)];
    case 'tool_reference':
      return [textPart(`The tool ${String(block['tool_name'])} is available.`)];
    default:
      throw refusedBlock(block['type'], path);
  }
}

/** Between texts that were written apart. */
export const PARAGRAPH = '\n\n';

/**
 * Text alone is one string, since many chat servers take nothing else; beside pictures and files it is
 * parts, in their order.
 */
export const contentOf = (parts: readonly ChatPart[]): string | readonly ChatPart[] =>
  parts.every((part) => part.type === 'text') ? textsOf(parts) : parts;

export const textsOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(PARAGRAPH);

/**
 * The text of a system message or of the system field.
 * @throws GatewayError `unsupported_value` for a block that is no text.
 */
export function systemText(content: unknown, path: string): string {
  const texts = blocksOf(content, path).map(({ block, path: at }) => {
    if (block['type'] !== 'text') throw refusedBlock(block['type'], at);
    return textOf(block);
  });
  return texts.join(PARAGRAPH);
}
