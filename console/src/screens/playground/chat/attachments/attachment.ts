/** Images and files that go with a message, checked before anything is sent. */

export type Attachment = {
  readonly id: string;
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly bytes: number;
  /** `data:image/png;base64,...` */
  readonly dataUrl: string;
};

/** What a file looks like before it is read. */
export type Candidate = { readonly name: string; readonly type: string; readonly size: number };

/** A request holds 32 MiB, and base64 makes four bytes of three; the rest is for the conversation. */
export const MAX_TOTAL_BYTES = 20 * 1024 * 1024;
export const MAX_ATTACHMENTS = 10;

/** What models take as pictures. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
/** Text that browsers do not call so, by the end of its name. */
const TEXT_ENDINGS = /\.(?:csv|json|jsonl|md|txt|tsv|xml|ya?ml|log|html?|js|ts|py)$/i;

export type AttachmentProblem = 'kind' | 'type' | 'size' | 'count' | 'empty';

/** @returns null for what no model takes. */
export function kindOf({
  name,
  type,
}: Pick<Candidate, 'name' | 'type'>): Attachment['kind'] | null {
  if (IMAGE_TYPES.some((known) => known === type)) return 'image';
  if (type === 'application/pdf' || type === 'application/json') return 'file';
  return type.startsWith('text/') || TEXT_ENDINGS.test(name) ? 'file' : null;
}

/**
 * Why it cannot be attached; null when it can.
 * @param modalities what every model that is asked takes, as the catalogue lists it.
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

/** What the file chooser offers. */
export function acceptFor(modalities: readonly string[]): string {
  const images = modalities.includes('image') ? IMAGE_TYPES : [];
  const files = modalities.includes('file') ? ['application/pdf', 'text/*', '.md', '.json'] : [];
  return [...images, ...files].join(',');
}

/** As a part of a message's content. */
export const partOf = ({ kind, name, dataUrl }: Attachment) =>
  kind === 'image'
    ? ({ type: 'image_url', image_url: { url: dataUrl } } as const)
    : ({ type: 'file', file: { filename: name, file_data: dataUrl } } as const);

/** A file as it goes into a message. Rejects when it cannot be read. */
export async function attach(file: File): Promise<Attachment> {
  const kind = kindOf(file);
  if (kind === null) throw new RangeError(`${file.name} is neither a picture nor text`);
  // Text whose type the browser does not know has none, and would not be read as text.
  const type = file.type === '' || kind === 'image' ? file.type : plainType(file.type);
  return {
    id: crypto.randomUUID(),
    kind,
    name: file.name,
    bytes: file.size,
    dataUrl: await dataUrlOf(file, type || 'text/plain'),
  };
}

/** Models read PDFs and plain text: whatever else is text goes as that. */
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
