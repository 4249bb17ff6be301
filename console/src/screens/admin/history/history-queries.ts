/**
 * Reads the revisions of the configuration and the nodes that run them. Restores a revision, and
 * imports a file as a new one.
 */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import type { Proposal } from '#screens/admin/settings/change-dialog.tsx';
import { CONFIG, parametersOf, type SendChange } from '#screens/admin/settings/config-queries.ts';

type Schemas = components['schemas'];
export type Revision = Schemas['ConfigRevision'];
export type ConfigNode = Schemas['ConfigNode'];

export const EXPORT_ADDRESS = '/admin/v1/config/export';
const PAGE_REVISIONS = 50;
/**
 * The interval at which the console loads the list of nodes again. It is short, because nodes apply
 * a change within seconds.
 */
const NODES_REFRESH_MS = 5_000;

export const revisionsQuery = infiniteQueryOptions({
  queryKey: [...CONFIG, 'revisions'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: PAGE_REVISIONS, after: pageParam });
    return answerOf(api.GET('/admin/v1/config/revisions', { params: { query }, signal }));
  },
  ...PAGING,
});

/** The query of a revision with all of its changes. */
export const revisionQuery = (revision: string) =>
  queryOptions({
    queryKey: [...CONFIG, 'revision', revision],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/admin/v1/config/revisions/{id}', { params: { path: { id: revision } }, signal }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const nodesQuery = queryOptions({
  queryKey: [...CONFIG, 'nodes'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/config/nodes', { signal })),
  refetchInterval: NODES_REFRESH_MS,
});

/** Sends a change, based on the newest revision, as a dry run. */
async function proposalOf(sendFrom: (revision: number) => SendChange): Promise<Proposal> {
  const query = { limit: 1 };
  const { data } = await answerOf(api.GET('/admin/v1/config/revisions', { params: { query } }));
  const send = sendFrom(data[0]?.revision ?? 0);
  return { send, plan: await send({ dry_run: 'true' }) };
}

export const proposeRestore = (id: string): Promise<Proposal> =>
  proposalOf((revision) => (options) => {
    const { header, query } = parametersOf(revision, options);
    return answerOf(
      api.POST('/admin/v1/config/revisions/{id}/restore', {
        params: { path: { id }, header, query },
      }),
    );
  });

export const proposeImport = (yaml: string, name: string): Promise<Proposal> =>
  proposalOf((revision) => (options) => {
    const [params, body] = [parametersOf(revision, options), { yaml, name }];
    return answerOf(api.POST('/admin/v1/config/import', { params, body }));
  });
