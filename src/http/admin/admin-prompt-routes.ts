/**
 * Routes for the log of prompts of any account. The audit log records each change, and each prompt
 * that is read.
 */
import type { Accounts } from '../../accounts/accounts.ts';
import {
  changedPromptLog,
  PROMPT,
  PROMPT_LOG,
  PROMPT_LOG_CHANGE,
  type PromptDeps,
  promptBody,
  promptLogBody,
} from '../caller/reports/prompt-log-body.ts';
import { adminRoute, idOf, type Route } from '../edge/route.ts';

export type AdminPromptDeps = PromptDeps & {
  readonly accounts: Pick<Accounts, 'getAccount'>;
};

export const adminPromptRoutes = (deps: AdminPromptDeps): readonly Route[] => [
  adminRoute(
    'GET /accounts/:id/prompt-log',
    {
      summary: 'Read whether prompts of an account or of its API keys are logged',
      response: PROMPT_LOG,
    },
    async (call) => promptLogBody(deps, (await deps.accounts.getAccount(idOf(call))).id),
  ),
  adminRoute(
    'PUT /accounts/:id/prompt-log',
    {
      summary:
        "Turn logging of an account's prompts on or off; the people of the account see who changed it",
      request: PROMPT_LOG_CHANGE,
      response: PROMPT_LOG,
    },
    async (call) => {
      const { id } = await deps.accounts.getAccount(idOf(call));
      return await changedPromptLog(deps, id, call, call.actor);
    },
  ),
  adminRoute(
    'GET /requests/:id/prompt',
    { summary: 'Read the logged prompt and answer of a request of any account', response: PROMPT },
    async (call) => {
      const record = await deps.prompts.one(idOf(call), null);
      if (record !== null) await deps.prompts.noteRead(record, call.actor);
      return promptBody(record);
    },
  ),
];
