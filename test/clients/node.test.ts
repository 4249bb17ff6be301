/**
 * Tests the JavaScript clients of the Responses API that are not among the gateway's own
 * dependencies.
 */
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
  // The program is copied, because Node.js looks for packages in the folder of the program.
  copyFileSync(join(CLIENT_FILES, 'client.mjs'), join(cwd, 'client.mjs'));
  return { command: ['node', 'client.mjs'], cwd, env: {} };
});
beforeAll(async () => void (await nodeClients()), INSTALL_LIMIT_MS);
afterAll(async () => await node[Symbol.asyncDispose]());

describeJudges([node.judge('@openai/agents'), node.judge('@ai-sdk/open-responses')]);
