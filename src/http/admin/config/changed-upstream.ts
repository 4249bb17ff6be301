/** An upstream with a change applied, so that the change can be tested before it is saved. */
import type { Clock } from '../../../clock.ts';
import { patched, withValue } from '../../../config/document/edits.ts';
import { valueAt } from '../../../config/schema-path.ts';
import { GatewayError } from '../../../errors.ts';
import { missingSecrets, networkUpstream } from '../../../routing/connected-upstreams.ts';
import type { Upstream } from '../../../upstreams/upstream.ts';
import { type ConfigDeps, databaseOf } from './config-calls.ts';

export type ChangedUpstream = { readonly upstream: Upstream; readonly baseUrl: string };

/**
 * Returns the upstream with the patch applied. Saves nothing.
 * @param patch a JSON merge patch of the upstream. The secrets in it are used for this upstream
 * only.
 * @throws GatewayError `config_in_file`, `not_found`, `invalid_value`
 */
export async function changedUpstream(
  deps: ConfigDeps & { readonly clock: Clock },
  name: string,
  patch: unknown,
): Promise<ChangedUpstream> {
  const path = ['upstreams', name];
  const { config } = await databaseOf(deps).changes.proposed((document) => {
    const before = valueAt(document, path);
    if (before === undefined) {
      const message = `There is no upstream ${JSON.stringify(name.slice(0, 64))}.`;
      throw new GatewayError('not_found', message, { param: 'name' });
    }
    return withValue(document, path, patched(before, patch));
  });
  const settings = config.upstreams[name];
  if (settings === undefined || settings.protocol === 'builtin') {
    const message = 'A change of the built-in upstream cannot be tested before it is saved.';
    throw new GatewayError('invalid_value', message, { param: 'change' });
  }
  const upstream = networkUpstream(name, settings, {
    limits: config.limits,
    missing: missingSecrets(config).get(name) ?? null,
    clock: deps.clock,
    onSignInFailure: () => undefined,
  });
  return { upstream, baseUrl: settings.base_url };
}
