/** Sets the `detail` of images. If it is not set, some models read images at full size. */
import { asJsonObject, changedList, isJsonObject } from '../../json/object.ts';
import type { FieldPlan } from '../request-fields.ts';

/** Returns the messages with `detail` set on each image whose `detail` is missing or `auto`. */
export function withImageDetail(
  messages: readonly unknown[],
  detail: FieldPlan['imageDetail'],
): readonly unknown[] {
  if (detail === null) return messages;
  return changedList(messages, (message) => {
    const given = asJsonObject(message)?.['content'];
    if (!isJsonObject(message) || !Array.isArray(given)) return message;
    const content = changedList(given, (part) => withDetail(part, detail));
    return content === given ? message : { ...message, content };
  });
}

function withDetail(part: unknown, detail: string): unknown {
  const image = asJsonObject(asJsonObject(part)?.['image_url']);
  if (!isJsonObject(part) || image === null) return part;
  return (image['detail'] ?? 'auto') === 'auto'
    ? { ...part, image_url: { ...image, detail } }
    : part;
}
