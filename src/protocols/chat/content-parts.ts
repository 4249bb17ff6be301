/** Builds chat content for translators: its parts, and the results of tools. */

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
 * Returns chat content. Text alone becomes one string, because many servers accept only a string.
 */
export const contentOf = (parts: readonly ChatPart[]): string | readonly ChatPart[] =>
  parts.every((part) => part.type === 'text') ? textsOf(parts) : parts;

export const textsOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(PARAGRAPH);

export type ToolResult = {
  readonly text: string;
  /** The images and files of the result, to be sent in a user message after all results. */
  readonly shown: readonly ChatPart[];
};

/** Splits a tool's result, because a `tool` message of a chat server may contain only text. */
export function toolResult(parts: readonly ChatPart[], callId: string): ToolResult {
  const shown = parts.filter(({ type }) => type !== 'text');
  if (shown.length === 0) return { text: textsOf(parts), shown };
  const texts = [textsOf(parts), 'Its images and files are in the next user message.'];
  return {
    text: texts.filter((text) => text !== '').join(PARAGRAPH),
    shown: [textPart(`Shown by tool call ${callId}:`), ...shown],
  };
}
