/** The log of prompts as the console's and the administrator's APIs show and change it. */
import * as z from 'zod';
import type { Accounts } from '../../../accounts/accounts.ts';
import type { PromptLog, PromptRecord } from '../../../telemetry/prompts/prompt-log.ts';
import type { PromptSwitch } from '../../../telemetry/prompts/prompt-switch.ts';
import { count, NO_STORE, time } from '../../edge/answer-schema.ts';
import { checked } from '../../edge/request-schema.ts';
import type { Call } from '../../edge/route.ts';
import { isoTime } from '../account-body.ts';

const string = z.string();
const TURNED_ON = z
  .strictObject({
    key_id: string
      .nullable()
      .meta({ description: 'The id of the API key; null: the whole account.' }),
    since: time,
    set_by: string.meta({ description: '`admin`, or the id of a person.' }),
  })
  .meta({ id: 'PromptLogging' });
export const PROMPT_LOG = z.strictObject({
  data: z.array(TURNED_ON).meta({
    description:
      'The account and the API keys whose prompts and answers are logged; the account is first.',
  }),
  kept_seconds: count.meta({ description: 'How many seconds a prompt is kept.' }),
});
const KEY = 'must be the id of an API key of this account, or null for the whole account';
export const PROMPT_LOG_CHANGE = z.strictObject({
  key_id: z.string({ error: KEY }).min(1, { error: KEY }).max(200, { error: KEY }).nullable(),
  on: z.boolean({ error: 'must be true or false' }),
});
export const PROMPT = z.strictObject({
  data: z
    .strictObject({
      request_id: string,
      at: time,
      prompt: string.meta({ description: 'The body of the request as it was sent.' }),
      answer: string.meta({ description: 'The body of the answer as it was delivered.' }),
      is_cut: z
        .boolean()
        .meta({ description: 'Whether `prompt` or `answer` was cut off at the end.' }),
    })
    .meta({ id: 'LoggedPrompt' })
    .nullable()
    .meta({
      description: 'The prompt and the answer; null: they were not logged, or are deleted.',
    }),
});
export const DELETED_PROMPTS = z.strictObject({ deleted: count });

export type PromptDeps = {
  readonly prompts: Pick<PromptLog, 'one' | 'delete' | 'noteRead'> & {
    /** Checks that this node can encrypt prompts. @throws GatewayError `secrets_key_missing` */
    readonly requireKey: () => unknown;
  };
  readonly promptSwitch: Pick<PromptSwitch, 'of' | 'set'>;
  readonly accounts: Pick<Accounts, 'keysOf'>;
  readonly keptMs: () => number;
};

export async function promptLogBody(
  { promptSwitch, keptMs }: PromptDeps,
  accountId: string,
): Promise<Response> {
  const on = await promptSwitch.of(accountId);
  const data = on.map(({ subject, sinceMs, setBy }) => ({
    key_id: subject === accountId ? null : subject,
    since: isoTime(sinceMs),
    set_by: setBy,
  }));
  return Response.json({ data, kept_seconds: Math.round(keptMs() / 1000) }, { headers: NO_STORE });
}

export async function changedPromptLog(
  deps: PromptDeps,
  accountId: string,
  call: Call,
  actor: string,
): Promise<Response> {
  const { key_id: keyId, on } = checked(PROMPT_LOG_CHANGE, await call.readJson());
  if (on) deps.prompts.requireKey();
  const subject =
    keyId === null ? accountId : (await deps.accounts.keysOf(accountId).get(keyId)).id;
  await deps.promptSwitch.set({ subject, accountId }, on, actor);
  return await promptLogBody(deps, accountId);
}

export function promptBody(record: PromptRecord | null): Response {
  if (record === null) return Response.json({ data: null }, { headers: NO_STORE });
  const { requestId, atMs, prompt, answer, isCut } = record;
  const data = { request_id: requestId, at: isoTime(atMs), prompt, answer, is_cut: isCut };
  return Response.json({ data }, { headers: NO_STORE });
}
