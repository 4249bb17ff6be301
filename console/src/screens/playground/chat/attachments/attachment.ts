/** Reads and validates the images and files of a message before sending. */

export type Attachment = {
  readonly id: string;
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly bytes: number;
  /** The content, such as `data:image/png;base64,...`. */
  readonly dataUrl: string;
};

/** A file that has not been read yet. */
export type Candidate = { readonly name: string; readonly type: string; readonly size: number };

/**
 * The maximum total size of attachments. A request is limited to 32 MiB, and base64 adds a third;
 * the rest is for the conversation.
 */
export const MAX_TOTAL_BYTES = 20 * 1024 * 1024;
export const MAX_ATTACHMENTS = 10;

/** The image types that models accept. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
/** The extensions of text files whose type browsers do not report. */
const TEXT_ENDINGS = /\.(?:csv|json|jsonl|md|txt|tsv|xml|ya?ml|log|html?|js|ts|py)$/i;

export type AttachmentProblem = 'kind' | 'type' | 'size' | 'count' | 'empty';

/** Returns the kind of a file; null for a file that no model accepts. */
export function kindOf({
  name,
  type,
}: Pick<Candidate, 'name' | 'type'>): Attachment['kind'] | null {
  if (IMAGE_TYPES.some((known) => known === type)) return 'image';
  if (type === 'application/pdf' || type === 'application/json') return 'file';
  return type.startsWith('text/') || TEXT_ENDINGS.test(name) ? 'file' : null;
}

/**
 * Returns the reason why a file is not accepted; null when it is accepted.
 * @param modalities the inputs that all selected models accept.
 */
export function problemWith(
  candidate: Candidate,
  attached: readonly Pick<Attachment, 'bytes'>[],
  modalities: readonly string[],
): AttachmentProblem | null {
  const kind = kindOf(candidate);
  if (kind === null) return 'type';
  if (!modalities.includes(kind)) return 'kind';
  if (candidate.size === 0) return 'empty';
  if (attached.length >= MAX_ATTACHMENTS) return 'count';
  const total = attached.reduce((sum, { bytes }) => sum + bytes, candidate.size);
  return total > MAX_TOTAL_BYTES ? 'size' : null;
}

/** Returns the `accept` attribute of the file field. */
export function acceptFor(modalities: readonly string[]): string {
  const images = modalities.includes('image') ? IMAGE_TYPES : [];
  const files = modalities.includes('file') ? ['application/pdf', 'text/*', '.md', '.json'] : [];
  return [...images, ...files].join(',');
}

/** Returns the file as a part of the message's content. */
export const partOf = ({ kind, name, dataUrl }: Attachment) =>
  kind === 'image'
    ? ({ type: 'image_url', image_url: { url: dataUrl } } as const)
    : ({ type: 'file', file: { filename: name, file_data: dataUrl } } as const);

/**
 * Reads a file for a message. The promise rejects when the file cannot be read or no model accepts
 * its type.
 */
export async function attach(file: File): Promise<Attachment> {
  const kind = kindOf(file);
  if (kind === null) throw new RangeError(`${file.name} is neither an image nor text`);
  // Browsers report no type for some text files. Such a file becomes `text/plain` below.
  const type = file.type === '' || kind === 'image' ? file.type : plainType(file.type);
  return {
    id: crypto.randomUUID(),
    kind,
    name: file.name,
    bytes: file.size,
    dataUrl: await dataUrlOf(file, type || 'text/plain'),
  };
}

/**
 * Returns the type with which to send a file. Every file other than an image or a PDF is sent as
 * plain text, since models accept no other types.
 */
const plainType = (type: string): string =>
  type === 'application/pdf' || type.startsWith('image/') ? type : 'text/plain';

function dataUrlOf(file: File, type: string): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([file], { type }));
  });
}
