/** Routes of the settings as a whole, and of their revisions, for administrators. */
import * as z from 'zod';
import { DEFAULT_PAGE } from '../../../accounts/page.ts';
import { withoutOldNotes } from '../../../config/document/document-prices.ts';
import { withoutSecrets } from '../../../config/document/document-secrets.ts';
import { patchedDocument } from '../../../config/document/edits.ts';
import { importSteps } from '../../../config/document/imported-file.ts';
import { sharedRecordSteps } from '../../../config/document/shared-records.ts';
import { inSlices } from '../../../config/document/steps.ts';
import { yamlTextSteps } from '../../../config/document/yaml-text.ts';
import { invalid, MAX_DOCUMENT_BYTES } from '../../../revisions/config-changes.ts';
import { differenceSteps } from '../../../revisions/difference.ts';
import { NO_STORE, page } from '../../edge/answer-schema.ts';
import { DOCUMENT_LIMITS } from '../../edge/body.ts';
import { checked, checkedQuery, PAGE_QUERY } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Doc, idOf, type Route } from '../../edge/route.ts';
import {
  answerChange,
  askedChange,
  type ConfigDeps,
  databaseOf,
  headersAt,
  IF_MATCH,
  readNewest,
  restoredCard,
  restoredRevision,
  revisionAt,
} from './config-calls.ts';
import { configFieldRoutes } from './config-field-routes.ts';
import { configRecordRoutes } from './config-record-routes.ts';
import {
  CHANGE_QUERY,
  CHANGED,
  changedBody,
  DOCUMENT,
  differenceBody,
  headBody,
  NEW_DOCUMENT,
  NEW_FILE,
  NODES,
  REVISION,
  REVISION_HEAD,
} from './config-schemas.ts';

const LIST_QUERY = PAGE_QUERY.extend({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be `next` of the previous page')
    .optional(),
});

export function configRoutes(deps: ConfigDeps): readonly Route[] {
  const change: Pick<Doc, 'query' | 'headers' | 'response'> = {
    query: CHANGE_QUERY,
    headers: IF_MATCH,
    response: CHANGED,
  };
  return [
    adminRoute('GET /config', { summary: 'Read the whole configuration', response: DOCUMENT }, () =>
      document(deps),
    ),
    adminRoute(
      'GET /config/export',
      { summary: 'Export the configuration as YAML', mediaTypes: ['application/yaml'] },
      () => exported(deps),
    ),
    large(
      adminRoute(
        'PUT /config',
        { summary: 'Replace the whole configuration', request: NEW_DOCUMENT, ...change },
        async (call) => {
          const given = checked(NEW_DOCUMENT, await call.readJson());
          return await answerChange(deps, call, () => given.document);
        },
      ),
    ),
    large(
      adminRoute(
        'PATCH /config',
        {
          summary: 'Change several settings at once, by a JSON merge patch',
          request: NEW_DOCUMENT,
          ...change,
        },
        async (call) => {
          const patch = checked(NEW_DOCUMENT, await call.readJson());
          return await answerChange(deps, call, (it) =>
            withoutOldNotes(it, patchedDocument(it, patch.document), patch.document),
          );
        },
      ),
    ),
    adminRoute(
      'GET /config/nodes',
      { summary: 'List the running nodes, each with its revision', response: NODES },
      () => nodes(deps),
    ),
    adminRoute(
      'GET /config/revisions',
      { summary: 'List revisions, newest first', query: LIST_QUERY, response: page(REVISION_HEAD) },
      (call) => revisions(deps, call),
    ),
    adminRoute(
      'GET /config/revisions/:id',
      { summary: 'Read a revision, with its changes', response: REVISION },
      (call) => revision(deps, call),
    ),
    adminRoute(
      'POST /config/revisions/:id/restore',
      { summary: 'Restore an earlier revision', ...change },
      async (call) => {
        const { restored, edit } = await restoredRevision(databaseOf(deps), idOf(call));
        return await answerChange(deps, call, edit, { origin: 'restore', restored });
      },
    ),
    adminRoute(
      'POST /config/cards/:id/restore',
      { summary: 'Restore the price of an earlier price card', ...change },
      async (call) => {
        const edit = await restoredCard(databaseOf(deps), idOf(call));
        return await answerChange(deps, call, edit);
      },
    ),
    large(
      adminRoute(
        'POST /config/import',
        {
          summary: 'Replace the configuration with a YAML file',
          request: NEW_FILE,
          ...change,
        },
        (call) => imported(deps, call),
      ),
    ),
    ...configFieldRoutes(deps),
    ...configRecordRoutes(deps, change),
  ];
}

/** Returns the route with a larger body limit, which is enough for the whole configuration. */
const large = (route: Route): Route => ({
  ...route,
  maxBodyBytes: MAX_DOCUMENT_BYTES,
  scanLimits: DOCUMENT_LIMITS,
});

async function document(deps: ConfigDeps): Promise<Response> {
  const { document: found, revision: number } = await readNewest(deps);
  const { file, revision: running } = deps.config();
  // Lets other requests run, because reading and writing a large document take milliseconds each.
  await deps.clock.sleep(0);
  const body: z.infer<typeof DOCUMENT> = {
    mode: deps.database === null ? 'file' : 'database',
    file,
    revision: number,
    running_revision: running,
    document: withoutSecrets(found),
  };
  await deps.clock.sleep(0);
  return Response.json(body, { headers: headersAt(number) });
}

async function exported(deps: ConfigDeps): Promise<Response> {
  const { document: found, revision: number } = await readNewest(deps);
  const yaml = await inSlices(yamlTextSteps(withoutSecrets(found)), deps.clock);
  return new Response(yaml, {
    headers: {
      'content-type': 'application/yaml; charset=utf-8',
      'content-disposition': 'attachment; filename="modelgate.yaml"',
      ...headersAt(number),
    },
  });
}

async function imported(deps: ConfigDeps, call: AdminCall): Promise<Response> {
  databaseOf(deps);
  const { yaml, name } = checked(NEW_FILE, await call.readJson());
  const file = await inSlices(importSteps(yaml, name), deps.clock);
  if ('document' in file) {
    const { document: found, locate } = file;
    return await answerChange(deps, call, () => found, { origin: 'import', locate });
  }
  const { base, isDryRun } = askedChange(call);
  const { problems: errors } = file;
  if (!isDryRun) throw invalid(errors);
  const nothing = { changes: [], warnings: [], needsRestart: [], isInForce: false };
  return Response.json(changedBody({ ...nothing, errors, revision: base }, true));
}

async function nodes(deps: ConfigDeps): Promise<Response> {
  const { revisions: stored, nodes: running } = databaseOf(deps);
  const body: z.infer<typeof NODES> = {
    newest_revision: await stored.newestNumber(),
    data: [...(await running())],
  };
  return Response.json(body, { headers: NO_STORE });
}

async function revisions(deps: ConfigDeps, { url }: AdminCall): Promise<Response> {
  const { limit = DEFAULT_PAGE, after } = checkedQuery(LIST_QUERY, url).query;
  const before = after === undefined ? null : Number(after);
  const found = (await deps.database?.revisions.list(limit + 1, before)) ?? [];
  const data = found.slice(0, limit);
  const next = found.length > limit ? String(data.at(-1)?.revision) : null;
  return Response.json({ data: data.map(headBody), next });
}

async function revision(deps: ConfigDeps, call: AdminCall): Promise<Response> {
  const database = databaseOf(deps);
  const found = await revisionAt(database, idOf(call));
  const before = (await database.revisions.at(found.revision - 1))?.document ?? {};
  await deps.clock.sleep(0);
  const after = await inSlices(sharedRecordSteps(before, found.document), deps.clock);
  const changes = await inSlices(differenceSteps(before, after), deps.clock);
  const body: z.infer<typeof REVISION> = {
    ...headBody(found),
    document: withoutSecrets(after),
    changes: changes.map(differenceBody),
  };
  await deps.clock.sleep(0);
  return Response.json(body, { headers: NO_STORE });
}
