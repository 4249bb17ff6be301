/** Translates Messages content to chat parts: text, images, documents and search results. */

import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { type ChatPart, PARAGRAPH, textPart } from '../chat/content-parts.ts';
import { isBillingHeader } from '../messages/system-messages.ts';
import { invalid, missing, unsupportedValue } from '../validation.ts';
import { refusedBlock } from './field-table.ts';

export type PlacedBlock = { readonly block: JsonObject; readonly path: string };

/**
 * Returns the blocks of `content` with their paths. A string is one text block, unless it is empty.
 */
export function blocksOf(content: unknown, path: string): readonly PlacedBlock[] {
  if (typeof content === 'string') {
    return content === '' ? [] : [{ block: { type: 'text', text: content }, path }];
  }
  return asArray(content)
    .map((each, index) => ({ block: asJsonObject(each) ?? {}, path: `${path}[${index}]` }))
    .filter(({ block }) => block['type'] !== 'text' || textOf(block) !== '');
}

export const textOf = (block: JsonObject): string => asString(block['text']) ?? '';

/** Translates a block. @throws GatewayError `unsupported_value` if chat cannot express it. */
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

/** Returns system text. @throws GatewayError `unsupported_value` for a block that is not text. */
export function systemText(content: unknown, path: string): string {
  const texts = blocksOf(content, path).map(({ block, path: at }) => {
    if (block['type'] !== 'text') throw refusedBlock(block['type'], at);
    return textOf(block);
  });
  return texts.filter((text) => !isBillingHeader(text)).join(PARAGRAPH);
}

const PDF = 'application/pdf';

/** Translates an image. @throws GatewayError `unsupported_value`, `invalid_value` */
function imagePart(block: JsonObject, path: string): ChatPart {
  const source = asJsonObject(block['source']) ?? {};
  refuseTransformations(block['transformations'], path);
  switch (source['type']) {
    case 'base64':
      return { type: 'image_url', image_url: { url: dataUrl(source, path) } };
    case 'url': {
      const url = asString(source['url']);
      if (url === null) throw missing(`${path}.source.url`, 'it must be a URL');
      return { type: 'image_url', image_url: { url } };
    }
    default:
      throw refusedSource(source, path, 'send the image as base64 or as an https URL');
  }
}

/** Translates a document. @throws GatewayError `unsupported_value`, `invalid_value` */
function documentParts(block: JsonObject, path: string): readonly ChatPart[] {
  refuseCitations(block, path);
  const source = asJsonObject(block['source']) ?? {};
  const title = asString(block['title']) ?? '';
  const context = asString(block['context']) ?? '';
  const head = heading([
    ['Document', title],
    ['Context', context],
  ]);
  switch (source['type']) {
    case 'base64':
      if (source['media_type'] !== PDF) {
        throw unsupportedValue(
          `${path}.source.media_type`,
          `documents of type "${String(source['media_type'])}" are not supported; send a PDF or text`,
        );
      }
      return [
        ...(context === '' ? [] : [textPart(heading([['Context', context]]))]),
        {
          type: 'file',
          file: {
            filename: title === '' ? 'document.pdf' : title,
            file_data: dataUrl(source, path),
          },
        },
      ];
    case 'text': {
      const data = asString(source['data']) ?? '';
      return [textPart(head === '' ? data : head + PARAGRAPH + data)];
    }
    case 'content': {
      const parts = contentParts(source['content'], `${path}.source.content`);
      return head === '' ? parts : [textPart(head), ...parts];
    }
    default:
      throw refusedSource(source, path, 'send the document as base64 (a PDF) or as text');
  }
}

/** Translates a search result. @throws `unsupported_value` if citations are requested. */
function searchResultPart(block: JsonObject, path: string): ChatPart {
  refuseCitations(block, path);
  const head = heading([
    ['Search result', asString(block['title']) ?? ''],
    ['Source', asString(block['source']) ?? ''],
  ]);
  const { content } = block;
  const texts = asArray(content).map((each) => asString(asJsonObject(each)?.['text']) ?? '');
  return textPart([head, ...texts].filter((text) => text !== '').join(PARAGRAPH));
}

/** Translates a document's content: a string, or a list of text and image blocks. */
function contentParts(content: unknown, path: string): readonly ChatPart[] {
  if (typeof content === 'string') return [textPart(content)];
  return asArray(content).map((each, index) => {
    const block = asJsonObject(each) ?? {};
    const at = `${path}[${index}]`;
    if (block['type'] === 'text') return textPart(asString(block['text']) ?? '');
    if (block['type'] === 'image') return imagePart(block, at);
    throw refusedBlock(block['type'], at);
  });
}

function dataUrl({ media_type: mediaType, data }: JsonObject, path: string): string {
  if (asString(mediaType) === null || asString(data) === null) {
    throw invalid(`${path}.source`, 'must have media_type and data');
  }
  return `data:${String(mediaType)};base64,${String(data)}`;
}

function refusedSource({ type }: JsonObject, path: string, remedy: string): Error {
  const what =
    type === 'file'
      ? 'files are not stored for this model'
      : `a source of type "${String(type)}" is not supported by this model`;
  return unsupportedValue(`${path}.source.type`, `${what}; ${remedy}`);
}

/** Refuses citations: no chat server returns them, and an answer without them looks complete. */
function refuseCitations(block: JsonObject, path: string): void {
  if (asJsonObject(block['citations'])?.['enabled'] !== true) return;
  throw unsupportedValue(
    `${path}.citations`,
    'this model does not cite its sources; omit citations, or ask for them in the prompt',
  );
}

function refuseTransformations(value: unknown, path: string): void {
  if (asArray(value).length === 0) return;
  throw unsupportedValue(
    `${path}.transformations`,
    'images are not transformed for this model; send the image as the model should see it',
  );
}

const heading = (lines: readonly (readonly [name: string, text: string])[]): string =>
  lines
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
