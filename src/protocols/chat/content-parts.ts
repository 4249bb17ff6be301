/** Builds chat content for translators: content parts and tool results. */

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      readonly image_url: { readonly url: string; readonly detail?: string };
    }
  | {
      readonly type: 'file';
      readonly file: { readonly filename?: string; readonly file_data: string };
    }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: string };
    };

/** The separator between text blocks that are joined into one string. */
export const PARAGRAPH = '\n\n';

export const textPart = (text: string): ChatPart => ({ type: 'text', text });

/**
 * Returns the content of a message. If all parts are text, it is a single string, because many
 * servers accept only a string.
 */
export const contentOf = (parts: readonly ChatPart[]): string | readonly ChatPart[] =>
  parts.every((part) => part.type === 'text') ? textsOf(parts) : parts;

export const textsOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(PARAGRAPH);

export type ToolResult = {
  readonly text: string;
  /**
   * The images and files of the result. They must be sent in a user message after all tool results.
   */
  readonly shown: readonly ChatPart[];
};

/**
 * Splits a tool's result into text and other parts, because a `tool` message may contain only text
 * on chat servers.
 */
export function toolResult(parts: readonly ChatPart[], callId: string): ToolResult {
  const shown = parts.filter(({ type }) => type !== 'text');
  if (shown.length === 0) return { text: textsOf(parts), shown };
  const texts = [textsOf(parts), 'Its images and files are in the next user message.'];
  return {
    text: texts.filter((text) => text !== '').join(PARAGRAPH),
    shown: [textPart(`Shown by tool call ${callId}:`), ...shown],
  };
}
