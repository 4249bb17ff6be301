/**
 * Tools that the Messages protocol defines and the client runs, as functions: their makers trained models
 * on them, others have to be told what they take. Names and inputs are those that clients expect.
 */
import type { JsonObject } from '../../json/object.ts';

export type TypedTool = { readonly description: string; readonly schema: JsonObject };

const text = (description: string): JsonObject => ({ type: 'string', description });
const command = (...names: readonly string[]): JsonObject => ({
  type: 'string',
  enum: names,
  description: 'What to do.',
});
const LINES: JsonObject = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description: 'For view: the first and the last line to show, counted from 1; -1 is the end.',
};
const INSERT_LINE: JsonObject = {
  type: 'integer',
  description: 'For insert: the line behind which the text is put; 0 is the beginning of the file.',
};

const BASH: TypedTool = {
  description: 'Runs a command in a bash session that lasts from one call to the next.',
  schema: {
    type: 'object',
    properties: {
      command: text('The command to run. Required unless restart is true.'),
      restart: { type: 'boolean', description: 'true starts the session anew.' },
    },
  },
};

const editor = (
  fields: Readonly<Record<string, JsonObject>>,
  ...commands: readonly string[]
): TypedTool => ({
  description:
    'Views, creates and edits text files. str_replace needs old_str to stand in the file exactly once.',
  schema: {
    type: 'object',
    properties: {
      command: command('view', 'create', 'str_replace', 'insert', ...commands),
      path: text('The file or directory.'),
      file_text: text('For create: all of the content of the file.'),
      old_str: text('For str_replace: the text to be replaced.'),
      new_str: text('For str_replace: the text to stand in its place.'),
      insert_line: INSERT_LINE,
      view_range: LINES,
      ...fields,
    },
    required: ['command', 'path'],
  },
});
const INSERTED = { insert_text: text('For insert: the text to put in.') };

const MEMORY: TypedTool = {
  description: 'Keeps notes in files below /memories that last beyond this conversation.',
  schema: {
    type: 'object',
    properties: {
      command: command('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      path: text('The file or directory, such as /memories/notes.md. For all but rename.'),
      view_range: LINES,
      file_text: text('For create: all of the content of the file.'),
      old_str: text('For str_replace: the text to be replaced.'),
      new_str: text('For str_replace: the text to stand in its place.'),
      insert_line: INSERT_LINE,
      ...INSERTED,
      old_path: text('For rename: the path as it is.'),
      new_path: text('For rename: the path as it is to be.'),
    },
    required: ['command'],
  },
};

/** Earlier editions took the text to insert in `new_str`. */
const NEW_STR = {
  new_str: text('For str_replace: the text to stand in its place. For insert: the text to put in.'),
};

const BY_BEGINNING: readonly (readonly [beginning: string, tool: TypedTool])[] = [
  ['bash_', BASH],
  ['text_editor_20241022', editor(NEW_STR, 'undo_edit')],
  ['text_editor_20250124', editor(NEW_STR, 'undo_edit')],
  ['text_editor_20250429', editor(NEW_STR)],
  ['text_editor_', editor(INSERTED)],
  ['memory_', MEMORY],
];

/** @returns null for a tool that is not run by the client, or not known. */
export const typedTool = (type: string): TypedTool | null =>
  BY_BEGINNING.find(([beginning]) => type.startsWith(beginning))?.[1] ?? null;
