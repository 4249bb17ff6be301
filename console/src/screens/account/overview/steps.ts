/** The steps to a working account and, for administrators, to a gateway for others. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { useModels } from '#catalogue/models.ts';
import { keysQuery } from '#keys/key-queries.ts';
import { parseAmount } from '#money/amount.ts';
import type { Overview } from '#screens/account/account-queries.ts';

export const CALLER_STEPS = ['credit', 'key', 'request'] as const;
export const OPERATOR_STEPS = ['prices', 'address', 'people', 'backup', 'metrics'] as const;
export type StepName = (typeof CALLER_STEPS)[number] | (typeof OPERATOR_STEPS)[number];
export type Step = { readonly name: StepName; readonly isDone: boolean };

/** How long an answer about the installation is used, since it rarely changes. */
const STALE_MS = 60_000;

/** Which of the administrator's steps are done, as far as the gateway can know. */
const operatorQuery = queryOptions({
  queryKey: ['operator-steps'],
  queryFn: async ({
    signal,
  }): Promise<Readonly<Record<'address' | 'people' | 'backup' | 'metrics', boolean>>> => {
    const backups = { action: 'backup.create', limit: 1 } as const;
    const [settings, people, invitations, audit] = await Promise.all([
      answerOf(api.GET('/admin/v1/settings', { signal })),
      answerOf(api.GET('/console/api/members', { signal })),
      answerOf(api.GET('/console/api/invitations', { signal })),
      answerOf(api.GET('/admin/v1/audit', { params: { query: backups }, signal })),
    ]);
    const isSet = (name: string): boolean =>
      settings.data.some((setting) => setting.name === name && setting.source !== 'default');
    return {
      address: isSet('public_url'),
      people: people.data.length + invitations.data.length > 1,
      backup: audit.data.length > 0,
      metrics: isSet('metrics.listen'),
    };
  },
  staleTime: STALE_MS,
});

/** Returns the steps of the person; null until all of them are known. */
export function useSteps(overview: Overview): readonly Step[] | null {
  const { role } = useSignedIn();
  const isAdministrator = role === 'administrator';
  const { data: keys } = useQuery(keysQuery);
  const { data: operator } = useQuery({ ...operatorQuery, enabled: isAdministrator });
  const { data: models } = useModels();
  if (!mayAs(role, 'member')) return [];
  if (keys === undefined || (isAdministrator && (operator === undefined || models === undefined))) {
    return null;
  }
  const hasCalled = overview.first_call_done;
  const done: Readonly<Record<StepName, boolean>> = {
    credit: hasCalled || overview.wallets.some(({ available }) => parseAmount(available) > 0n),
    key: hasCalled || keys.length > 0,
    request: hasCalled,
    prices: models?.every(({ channels }) => channels.every(({ example }) => !example)) ?? true,
    ...(operator ?? { address: true, people: true, backup: true, metrics: true }),
  };
  const names = [...CALLER_STEPS, ...(isAdministrator ? OPERATOR_STEPS : [])];
  return names.map((name) => ({ name, isDone: done[name] }));
}
