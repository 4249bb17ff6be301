/**
 * Writes `src/api/schema.gen.ts`, the types that the console asks the gateway with, from the gateway's own
 * routes. Run after a change of a route: `npm run console:api`. A test fails while the file is behind.
 */
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { apiDocument } from './api-document.ts';

export const GENERATED_FILE = join(import.meta.dir, 'src/api/schema.gen.ts');
const HEADER = '// Made by `npm run console:api` from the routes of the gateway; do not edit.\n';

/** What `GENERATED_FILE` should hold. */
export async function generatedApi(): Promise<string> {
  const document = JSON.stringify(await apiDocument());
  return HEADER + astToString(await openapiTS(document, { alphabetize: true }));
}

if (import.meta.main) await Bun.write(GENERATED_FILE, await generatedApi());
