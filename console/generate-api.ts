/**
 * `npm run console:api`: the types of the console's client, from the contract of a gateway that is opened
 * for it. The contract is made from the routes themselves, so this is all that keeps the two alike.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { apiDocument } from './api-document.ts';

const FILE = join(import.meta.dirname, 'src/api/schema.gen.ts');
const HEAD =
  '// Made by `npm run console:api` from the routes of the gateway; do not edit.\n// biome-ignore-all format: a machine wrote it\n';

/** The client's types, as they should stand in `schema.gen.ts`. @param document `/openapi.json`, parsed. */
export async function clientTypes(document: object): Promise<string> {
  // The same routes give the same text, wherever the gateway was started.
  const alike = { ...document, servers: [] };
  return HEAD + astToString(await openapiTypescript(JSON.stringify(alike), { alphabetize: true }));
}

/** What `schema.gen.ts` says now. */
export const writtenTypes = (): Promise<string> => readFile(FILE, 'utf8');

if (import.meta.main) {
  await writeFile(FILE, await clientTypes(await apiDocument()));
  console.log(`written: ${FILE}`);
}
