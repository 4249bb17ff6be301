/**
 * The document: the settings that are stored in the database if the file says `config: database`.
 * References in it, such as `${NAME}`, are not resolved.
 */

import type { z } from 'zod';
import type { Path } from '../problem.ts';
import { fileSchema } from '../schema.ts';
import { isMap } from '../schema-path.ts';
import type { YamlFile } from '../yaml-file.ts';

/** The start settings: each node reads them from its own file, because it needs them at startup. */
export const START_SETTINGS = [
  'config',
  'listen',
  'share_port',
  'trusted_proxies',
  'public_url',
  'data_dir',
  'database',
  'database_direct',
  'database_replica',
  'node_name',
  'secrets',
  'backups',
  'log',
  'metrics',
  'tracing',
] as const satisfies readonly (keyof z.input<ReturnType<typeof fileSchema>>)[];

/** The names of the sections that a document may have, in the order of the schema. */
export const SECTIONS: readonly string[] = Object.keys(fileSchema().shape).filter(
  (name) => !isStartSetting(name),
);

export type Document = Readonly<Record<string, unknown>>;

/**
 * A revision of the document. Messages about problems refer to it by `name`, such as `revision 7`.
 */
export type StoredDocument = {
  readonly revision: number;
  readonly name: string;
  readonly document: Document;
  /**
   * When the calendars of the document were last judged, or later, in Unix milliseconds; absent for
   * a document with new calendars. Calendars may have ended since.
   */
  readonly atMs?: number;
  /** Returns the file and line of a setting. Absent if the document is not from a file. */
  readonly locate?: (path: Path) => string;
};

/** A document without models, for a node that has not read the database yet. */
const EMPTY: Document = { upstreams: {}, models: {} };

export function isStartSetting(name: PropertyKey | undefined): boolean {
  return START_SETTINGS.some((each) => each === name);
}

/** Returns the settings of a parsed file that belong to the document. */
export function documentIn(file: unknown): Document {
  const entries = isMap(file) ? Object.entries(file) : [];
  return Object.fromEntries(entries.filter(([name]) => !isStartSetting(name)));
}

/** Returns the document with its sections in the order of the schema, then unknown sections. */
export function inOrder(document: Document): Document {
  const place = (name: string): number => {
    const at = SECTIONS.indexOf(name);
    return at === -1 ? SECTIONS.length : at;
  };
  return Object.fromEntries(Object.entries(document).toSorted(([a], [b]) => place(a) - place(b)));
}

/** Parses a document from JSON. @throws Error when it is not a JSON object. */
export function readDocument(text: string): Document {
  const document: unknown = JSON.parse(text);
  if (!isMap(document)) throw new Error('a document of settings is not a JSON object');
  return document;
}

/** Combines the start settings of a node's file with the settings of the document. */
export function withDocument(file: YamlFile, stored: StoredDocument | null): YamlFile {
  // Unknown names in the file are included, so that a misspelled start setting is reported.
  const isOfFile = (name: PropertyKey | undefined): boolean =>
    isStartSetting(name) || !SECTIONS.some((each) => each === name);
  const entries = isMap(file.value) ? Object.entries(file.value) : [];
  const start = Object.fromEntries(entries.filter(([name]) => isOfFile(name)));
  return {
    value: { ...(stored?.document ?? EMPTY), ...start },
    locate: (path) => {
      const [section] = path;
      // If the file and the document have the same unknown name, the file takes precedence.
      const isStored = section !== undefined && Object.hasOwn(stored?.document ?? {}, section);
      if (
        stored === null ||
        (isOfFile(section) && !isStored) ||
        Object.hasOwn(start, String(section))
      )
        return file.locate(path);
      return stored.locate?.(path) ?? stored.name;
    },
    problems: file.problems.filter(({ path }) => isOfFile(path.split('.')[0])),
  };
}
