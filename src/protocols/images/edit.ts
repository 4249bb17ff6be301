/** Reads requests to edit images. The body is a multipart form, or JSON with data URLs. */
import * as z from 'zod';
import { GatewayError } from '../../errors.ts';
import { memberText } from '../../json/edit.ts';
import { asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { foldedNames, refuseVariant } from '../field-names.ts';
import { HEADER_BYTES, type ImageSize, readHeader } from '../inputs/image-header.ts';
import { unsupportedParameter } from '../validation.ts';
import type { Form } from './form.ts';
import { type ImagesRequest, imagesRequestSchema, invalid, readImagesRequest } from './request.ts';

/** Maximum images of an edit in OpenAI's protocol. A model may allow fewer. */
export const MAX_INPUT_IMAGES = 16;
/**
 * Maximum pixels of an image to edit, enough for a photo from a phone. A limit on the file size
 * would not be enough, because a small file can contain many pixels.
 */
export const MAX_INPUT_PIXELS = 50_000_000;

/** The media types of images that providers can edit. */
const INPUT_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

export type InputImage = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: InputType;
  readonly size: ImageSize;
};

export type EditInputs = {
  /** The images to edit, at least one. */
  readonly images: readonly InputImage[];
  readonly mask: InputImage | null;
};

export type EditRequest = { readonly request: ImagesRequest; readonly inputs: EditInputs };

/** Returns the schema of an edit request in JSON. It is only used for `/openapi.json`. */
export function editRequestSchema() {
  const dataUrl = z.string().describe('A data URL, such as `data:image/png;base64,...`.');
  const given = z.union([
    dataUrl,
    z.looseObject({ image_url: dataUrl }),
    z.looseObject({ url: dataUrl }),
  ]);
  return imagesRequestSchema().extend({
    images: z.array(given).max(MAX_INPUT_IMAGES).optional().describe('The images to edit.'),
    image: z
      .union([given, z.array(given)])
      .optional()
      .describe('Another name for `images`.'),
    mask: given.nullish().describe(MASK),
  });
}

/** Returns the schema of an edit request as a form. It is only used for `/openapi.json`. */
export function editFormSchema() {
  const file = z.string().meta({ format: 'binary' });
  return imagesRequestSchema().extend({
    image: z.union([file, z.array(file)]).describe('The images to edit: PNG, JPEG or WebP.'),
    mask: file.optional().describe(MASK),
  });
}

const MASK = 'A PNG file. The first image is edited where this mask is transparent.';

/** A file in the caller's request. */
type Given = { readonly param: string; readonly bytes: Uint8Array<ArrayBuffer> };

/**
 * Reads an edit request from a form.
 * @throws GatewayError `missing_required_parameter`, `invalid_value`, `unsupported_parameter`.
 */
export function readEditForm({ fields, files }: Form): EditRequest {
  const images: Given[] = [];
  let mask: Given | null = null;
  for (const { name, bytes } of files) {
    if (/^image(?:\[\d{0,3}\])?$/.test(name))
      images.push({ param: `image[${images.length}]`, bytes });
    else if (name === 'mask' && mask === null) mask = { param: name, bytes };
    else throw unsupportedParameter(name, 'only image, image[] and one mask may be files');
  }
  for (const name of fields.keys()) {
    if (/^(?:image|mask)\b/.test(name)) throw invalid(name, 'must be a file, with a file name');
    refuseVariant(name, FILES_FOLDED);
  }
  const request = readImagesRequest(viewOf(fields));
  return { request, inputs: inputsOf(images, mask) };
}

/**
 * Reads an edit request from JSON. The images are in `images` or `image`, and the mask is in
 * `mask`. Each is a data URL, or an object with a data URL in `image_url` or `url`. The base64 is
 * decoded in place, which overwrites it in the body.
 * @throws GatewayError the same errors as `readEditForm`.
 */
export function readEditJson(body: ScannedObject): EditRequest {
  const view = body.view();
  const fields: Record<string, unknown> = {};
  for (const name of body.members.keys()) {
    if (FILE_MEMBERS.includes(name)) continue;
    refuseVariant(name, FILES_FOLDED);
    // Parses the member's complete text, because long strings, such as prompts, are truncated in
    // `view`.
    fields[name] = JSON.parse(memberText(body, name) ?? 'null');
  }
  const request = readImagesRequest(fields);
  const name = (view['images'] ?? null) === null ? 'image' : 'images';
  if (name === 'images' && (view['image'] ?? null) !== null)
    throw invalid('image', "cannot be sent together with 'images'");
  const given = view[name] ?? [];
  const listed = Array.isArray(given) ? given : [given];
  if (listed.length > MAX_INPUT_IMAGES) throw tooMany(name, MAX_INPUT_IMAGES);
  const images = listed.map((each, at) => decoded(body, each, `${name}[${at}]`));
  const mask = (view['mask'] ?? null) === null ? null : decoded(body, view['mask'], 'mask');
  return { request, inputs: inputsOf(images, mask) };
}

const FILE_MEMBERS: readonly string[] = ['image', 'images', 'mask'];
const FILES_FOLDED = foldedNames(FILE_MEMBERS);
const NUMBERS: readonly string[] = ['n', 'output_compression', 'partial_images'];

/** Converts the text fields of a form to JSON values. */
function viewOf(fields: ReadonlyMap<string, string>): JsonObject {
  const view: Record<string, unknown> = {};
  const provider: Record<string, unknown> = {};
  for (const [name, text] of fields) {
    const nested = /^provider\[(\w{1,64})\]$/.exec(name)?.[1];
    if (nested !== undefined) provider[nested] = booleanIn(text) ?? text;
    else if (NUMBERS.includes(name)) view[name] = /^\d{1,9}$/.test(text) ? Number(text) : text;
    else if (name === 'stream') view[name] = booleanIn(text) ?? text;
    else if (name === 'provider') view[name] = parsedObject(text) ?? text;
    else view[name] = text;
  }
  return Object.keys(provider).length === 0 ? view : { ...view, provider };
}

const booleanIn = (text: string): boolean | null =>
  text === 'true' ? true : text === 'false' ? false : null;

function decoded(body: ScannedObject, given: unknown, param: string): Given {
  const object = asJsonObject(given);
  if ((object?.['file_id'] ?? null) !== null)
    throw unsupportedParameter(`${param}.file_id`, 'files are not stored here; send a data URL');
  const url = object === null ? given : (object['image_url'] ?? object['url']);
  if (typeof url !== 'string' || !/^data:[\w.+-]+(?:\\?\/)[\w.+-]+;base64,/.test(url))
    throw invalid(param, "must be a data URL, such as 'data:image/png;base64,...'");
  const bytes = base64InPlace(body.bytesOf(url));
  if (bytes === null) throw invalid(param, 'has invalid base64');
  return { param, bytes };
}

function inputsOf(given: readonly Given[], givenMask: Given | null): EditInputs {
  if (given.length === 0) {
    const what = "Missing required parameter 'image'. It must be a PNG, JPEG or WebP file.";
    throw new GatewayError('missing_required_parameter', what, { param: 'image' });
  }
  const images = given.map(inputOf);
  const mask = givenMask === null ? null : inputOf(givenMask);
  const [first] = images;
  if (mask === null || first === undefined) return { images, mask };
  if (mask.mediaType !== 'image/png') throw invalid('mask', 'must be a PNG file');
  if (mask.size.width !== first.size.width || mask.size.height !== first.size.height)
    throw invalid('mask', `must have the size of the first image, ${sizeText(first.size)}`);
  return { images, mask };
}

const sizeText = ({ width, height }: ImageSize): string => `${width}x${height}`;

function inputOf({ param, bytes }: Given): InputImage {
  const { buffer, byteOffset, byteLength } = bytes;
  const header = readHeader(Buffer.from(buffer, byteOffset, Math.min(byteLength, HEADER_BYTES)));
  const mediaType = INPUT_TYPES.find((type) => type === header?.mediaType);
  if (mediaType === undefined) throw invalid(param, 'must be a PNG, JPEG or WebP file');
  const size = header?.size ?? null;
  if (size === null || size.width === 0 || size.height === 0)
    throw invalid(param, 'is broken: its header has no size');
  if (size.width * size.height > MAX_INPUT_PIXELS)
    throw invalid(param, `must have at most ${MAX_INPUT_PIXELS} pixels, not ${sizeText(size)}`);
  return { bytes, mediaType, size };
}

/**
 * Checks the number of images to edit.
 * @throws GatewayError `wrong_endpoint` if the model cannot edit, `invalid_value` for too many
 *   images.
 */
export function checkInputs(
  { images }: EditInputs,
  { id, maxInputImages }: { readonly id: string; readonly maxInputImages: number },
): void {
  if (maxInputImages === 0) {
    const what = `${id} draws from text only; call it at /v2/images/generations.`;
    throw new GatewayError('wrong_endpoint', what, { param: 'model' });
  }
  if (images.length > maxInputImages) throw tooMany('image', maxInputImages);
}

const tooMany = (param: string, most: number): GatewayError =>
  invalid(param, `must be at most ${most} ${most === 1 ? 'image' : 'images'} for this model`);

/** The number of characters that are decoded at a time, a multiple of four. */
const CHUNK_CHARACTERS = 64 * 1024;
const COMMA = 0x2c;

/**
 * Decodes the base64 of a data URL in a JSON string, in which slashes may be escaped. Returns a
 * view of the same memory, or null if the base64 is invalid. The given bytes are overwritten in
 * both cases, so that memory has no second copy of a large image.
 */
export function base64InPlace(url: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (!(url.buffer instanceof ArrayBuffer)) throw new Error('the bytes are in shared memory');
  const bytes = new Uint8Array(url.buffer, url.byteOffset, url.byteLength);
  const text = Buffer.from(url.buffer, url.byteOffset, url.byteLength);
  let read = text.indexOf(COMMA) + 1;
  let written = 0;
  // The end of a chunk that is decoded with the next one: an incomplete group of four characters,
  // or half an escaped slash.
  let rest = '';
  while (read < text.byteLength) {
    const end = Math.min(read + CHUNK_CHARACTERS, text.byteLength);
    const characters = (rest + text.toString('latin1', read, end)).replaceAll('\\/', '/');
    const isLast = end === text.byteLength;
    const whole = isLast ? characters.length : characters.length - 4 - (characters.length % 4);
    rest = characters.slice(whole);
    const size = decodeInto(bytes.subarray(written, end), characters.slice(0, whole));
    if (size === null) return null;
    written += size;
    read = end;
  }
  return bytes.subarray(0, written);
}

function decodeInto(target: Uint8Array<ArrayBuffer>, base64: string): number | null {
  try {
    const { read, written } = target.setFromBase64(base64);
    return read === base64.length ? written : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
