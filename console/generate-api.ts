/**
 * `npm run console:api`: generates the types of the console's client from the contract of a
 * temporary gateway. The contract is built from the routes themselves, so the client cannot drift
 * from the server.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { apiDocument } from './api-document.ts';

const FILE = join(import.meta.dirname, 'src/api/schema.gen.ts');
const HEAD =
  '// Generated from the contract by `npm run console:api`. Do not edit.\n// biome-ignore-all format: generated\n';

/**
 * Generates the content that `schema.gen.ts` must have.
 * @param document the parsed `/openapi.json`.
 */
export async function clientTypes(document: object): Promise<string> {
  // Removes the server address, so that every machine generates the same text, and the names of
  // operations, whose types would be listed a second time.
  const alike = { ...document, servers: [] };
  const text = JSON.stringify(alike, (key, value) => (key === 'operationId' ? undefined : value));
  return HEAD + astToString(await openapiTypescript(text, { alphabetize: true }));
}

/** Reads the current content of `schema.gen.ts`. */
export const writtenTypes = (): Promise<string> => readFile(FILE, 'utf8');

if (import.meta.main) {
  await writeFile(FILE, await clientTypes(await apiDocument()));
  console.log(`written: ${FILE}`);
}
