/**
 * `npm run console:api`: the types of the console's client, from the contract of a gateway that is started
 * for it. The contract is made from the routes themselves, so this is all that keeps the two alike.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'console/src/api/schema.gen.ts');
const HEAD =
  '// Made by `npm run console:api` from the routes of the gateway; do not edit.\n// biome-ignore-all format: a machine wrote it\n';

/** The client's types, as they should stand in `schema.gen.ts`. @param document `/openapi.json`, parsed. */
export async function clientTypes(document: object): Promise<string> {
  // The same routes give the same text, wherever the gateway was started.
  const alike = { ...document, servers: [] };
  return HEAD + astToString(await openapiTypescript(JSON.stringify(alike)));
}

/** What `schema.gen.ts` says now. */
export const writtenTypes = (): Promise<string> => readFile(FILE, 'utf8');

/** `/openapi.json` of a gateway of its own, which is stopped again. */
async function contract(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-contract-'));
  const gateway = Bun.spawn([join(ROOT, 'bin/modelgate'), 'serve'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', MODELGATE_DATA_DIR: folder },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  try {
    const address = await addressIn(gateway.stdout);
    return await (await fetch(`${address}/openapi.json`)).json();
  } finally {
    gateway.kill();
    await gateway.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of output) {
    text += decoder.decode(bytes, { stream: true });
    const [, address] = /Modelgate answers at (\S+)/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`the gateway did not start: ${text}`);
}

if (import.meta.main) {
  await writeFile(FILE, await clientTypes(await contract()));
  console.log(`written: ${FILE}`);
}
