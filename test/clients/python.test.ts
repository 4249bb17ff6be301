/** Tests the Python clients of the Responses API: the official library and the Agents SDK. */
import { afterAll, beforeAll } from 'bun:test';
import { join } from 'node:path';
import { clientProcess } from '../support/clients/client-process.ts';
import {
  CLIENT_FILES,
  INSTALL_LIMIT_MS,
  pythonClients,
} from '../support/clients/installed-clients.ts';
import { describeJudges } from '../support/judge/describe-judges.ts';

const python = clientProcess(async () => ({
  command: ['python3', join(CLIENT_FILES, 'client.py')],
  cwd: CLIENT_FILES,
  env: { PYTHONPATH: join(await pythonClients(), 'packages') },
}));
beforeAll(async () => void (await pythonClients()), INSTALL_LIMIT_MS);
afterAll(async () => await python[Symbol.asyncDispose]());

describeJudges([python.judge('Python openai'), python.judge('Python openai-agents')]);
