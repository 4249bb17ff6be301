/** An upstream made from settings that are not saved yet, so that they can be tested first. */
import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config/config.ts';
import type { Secret } from '../../../config/secret.ts';
import type { UpstreamMake } from '../../../config/upstream-schema.ts';
import { type NetworkSettings, networkUpstream } from '../../../routing/connected-upstreams.ts';
import type { Upstream } from '../../../upstreams/upstream.ts';

/** The name of the unsaved upstream in error messages. */
const NAME = 'new upstream';

export type DraftSettings = {
  readonly make: UpstreamMake;
  readonly protocol: 'openai' | 'anthropic';
  readonly base_url: string;
  readonly api_key: Secret | null;
  readonly allow_private: boolean;
};

export type DraftUpstream = { readonly upstream: Upstream; readonly settings: NetworkSettings };

export function draftUpstream(
  draft: DraftSettings,
  limits: Config['limits'],
  clock: Clock,
): DraftUpstream {
  const { make, protocol, base_url, api_key, allow_private } = draft;
  const settings: NetworkSettings = {
    ...{ make, protocol, base_url, api_key, allow_private },
    headers: {},
    pass: [],
    quirks: {},
  };
  const options = { limits, missing: null, clock, onSignInFailure: () => undefined };
  return { upstream: networkUpstream(NAME, settings, options), settings };
}
