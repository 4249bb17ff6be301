/**
 * Lists how each member of a chat message, and each type of content part, is translated for a
 * Messages upstream.
 */
import { dropped, mapped } from '../field-fate.ts';
import { type FieldFate, refused } from './field-table.ts';

/**
 * How each member of a message is translated. For `content`, each part is translated separately.
 */
export const MESSAGE_FIELDS: Readonly<Record<string, FieldFate>> = {
  role: mapped('role, or system; developer becomes system'),
  content: mapped('content'),
  name: dropped('Messages has one user; the text can name the speaker'),
  tool_call_id: mapped('tool_use_id'),
  tool_calls: mapped('tool_use blocks after the text; only function calls, others are refused'),
  function_call: mapped('a tool_use block'),
  refusal: mapped('a text block'),
  audio: refused('given', 'the model does not accept audio'),
  reasoning_content: dropped(
    'for display; reasoning_details and the calls carry what can be sent back',
  ),
  reasoning_details: mapped('thinking blocks, if signed'),
  thinking_blocks: mapped('thinking blocks, if signed'),
};

export const PART_TYPES: Readonly<Record<string, FieldFate>> = {
  text: mapped('a text block; blank text is omitted'),
  image_url: mapped('an image block; its detail has no counterpart'),
  file: mapped('a document or image block; a file_id is refused, since files are not stored'),
  refusal: mapped('a text block, of the assistant'),
  input_audio: refused('given', 'the model does not accept audio'),
  video_url: refused('given', 'the model does not accept video'),
};
