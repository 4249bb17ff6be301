/**
 * Routes for the log of prompts of the signed-in person's account. Only owners may change the log's
 * settings and read prompts.
 */
import {
  changedPromptLog,
  DELETED_PROMPTS,
  PROMPT,
  PROMPT_LOG,
  PROMPT_LOG_CHANGE,
  type PromptDeps,
  promptBody,
  promptLogBody,
} from '../caller/reports/prompt-log-body.ts';
import { consoleRoute, idOf, type Route } from '../edge/route.ts';

export const consolePromptRoutes = (deps: PromptDeps): readonly Route[] => [
  consoleRoute(
    'GET /prompt-log',
    'read_only',
    {
      summary: 'Read whether prompts of the account or of its API keys are logged',
      response: PROMPT_LOG,
    },
    ({ person }) => promptLogBody(deps, person.accountId),
  ),
  consoleRoute(
    'PUT /prompt-log',
    'owner',
    {
      summary: 'Turn the logging of prompts on or off, for the account or one of its keys',
      request: PROMPT_LOG_CHANGE,
      response: PROMPT_LOG,
    },
    (call) => changedPromptLog(deps, call.person.accountId, call, call.person.id),
  ),
  consoleRoute(
    'DELETE /prompt-log/records',
    'owner',
    { summary: "Delete all of the account's logged prompts", response: DELETED_PROMPTS },
    async ({ person }) =>
      Response.json({ deleted: await deps.prompts.delete(person.accountId, null, person.id) }),
  ),
  consoleRoute(
    'GET /requests/:id/prompt',
    'owner',
    {
      summary: 'Read the prompt and the answer of a request, if they were logged',
      response: PROMPT,
    },
    async (call) => {
      const { accountId, id, view } = call.person;
      const record = await deps.prompts.one(idOf(call), accountId);
      // While an administrator views the account, every read of a prompt is recorded in the audit
      // log.
      if (record !== null && view !== undefined) await deps.prompts.noteRead(record, id);
      return promptBody(record);
    },
  ),
  consoleRoute(
    'DELETE /requests/:id/prompt',
    'owner',
    { summary: 'Delete the logged prompt of a request', response: DELETED_PROMPTS },
    async (call) => {
      const { accountId, id } = call.person;
      return Response.json({ deleted: await deps.prompts.delete(accountId, idOf(call), id) });
    },
  ),
];
