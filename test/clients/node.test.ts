/** Tests JavaScript clients of the Responses API that the gateway's `npm ci` does not install. */
import { afterAll, beforeAll } from 'bun:test';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientProcess } from '../support/clients/client-process.ts';
import {
  CLIENT_FILES,
  INSTALL_LIMIT_MS,
  nodeClients,
} from '../support/clients/installed-clients.ts';
import { describeJudges } from '../support/judge/describe-judges.ts';

const node = clientProcess(async () => {
  const cwd = await nodeClients();
  // Node.js looks for a program's packages beginning in the program's own folder.
  copyFileSync(join(CLIENT_FILES, 'client.mjs'), join(cwd, 'client.mjs'));
  return { command: ['node', 'client.mjs'], cwd, env: {} };
});
beforeAll(async () => void (await nodeClients()), INSTALL_LIMIT_MS);
afterAll(async () => await node[Symbol.asyncDispose]());

describeJudges([node.judge('@openai/agents'), node.judge('@ai-sdk/open-responses')]);
