/**
 * Translates the content of chat messages to Messages blocks. Omits blank text, because upstreams
 * refuse it.
 */

import type { NestedLimits, NestedValues } from '../../json/nested-values.ts';
import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { invalid, unsupportedValue } from '../validation.ts';
import { type Block, copyMarker } from './cache-markers.ts';
import { fileBlock, imageBlock } from './media.ts';

/**
 * The limits of tool call arguments, far above what models write. Arguments are JSON inside
 * strings, and the scan of the body does not count the values in them, so they need limits of their
 * own.
 */
export const MAX_ARGUMENTS: NestedLimits = {
  values: 60_000,
  length: 4 * 1024 * 1024,
  lengthOfOne: 2 * 1024 * 1024,
};

export type Reading = {
  readonly placeholders: Placeholders;
  /** The blocks that have a cache marker, in prompt order. */
  readonly marked: Block[];
  readonly nested: NestedValues;
};

/**
 * Translates the content of a user message or a tool result.
 * @throws GatewayError that names an unsupported part.
 */
export function userBlocks(content: unknown, path: string, reading: Reading): readonly Block[] {
  return blocksOf(content, path, reading, (part, at) => {
    switch (part['type']) {
      case 'image_url':
        return imageBlock(part, at);
      case 'file':
        return fileBlock(part, at, reading.placeholders);
      default:
        throw unsupportedValue(`${at}.type`, unsupportedPart(part['type']));
    }
  });
}

/**
 * Translates the content of a message that may contain only text.
 * @throws GatewayError that names a part of another type.
 */
export function textBlocks(
  content: unknown,
  path: string,
  by: 'system' | 'assistant',
  reading: Reading,
): readonly Block[] {
  return blocksOf(content, path, reading, (part, at) => {
    const refusal =
      by === 'assistant' && part['type'] === 'refusal' ? asString(part['refusal']) : null;
    if (refusal !== null) return textBlock(refusal);
    throw unsupportedValue(`${at}.type`, `a message with the role ${by} accepts text parts only`);
  });
}

export const textBlock = (text: string): Block | null =>
  text.trim() === '' ? null : { type: 'text', text };

type PartReader = (part: JsonObject, path: string) => Block | JsonObject | null;

function blocksOf(
  content: unknown,
  path: string,
  reading: Reading,
  readOther: PartReader,
): readonly Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return present(textBlock(content));
  if (!Array.isArray(content)) {
    throw invalid(path, 'must be a string or an array of content parts');
  }
  return content.flatMap((part: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isJsonObject(part)) throw invalid(at, 'must be a content part: an object with a type');
    const text = part['type'] === 'text' ? asString(part['text']) : null;
    const block = text === null ? readOther(part, at) : textBlock(text);
    return block === null ? [] : [marked(block, part, reading)];
  });
}

const present = (block: Block | null): readonly Block[] => (block === null ? [] : [block]);

function marked(block: Block | JsonObject, part: JsonObject, { marked: all }: Reading): Block {
  const own: Block = { ...block };
  copyMarker(part, own, all);
  return own;
}

function unsupportedPart(type: unknown): string {
  if (type === 'input_audio') return 'this model does not accept audio; send a transcript as text';
  if (type === 'video_url') return 'this model does not accept video; send images of it';
  return `parts of type "${String(type)}" are not supported; send text, image_url or file`;
}
