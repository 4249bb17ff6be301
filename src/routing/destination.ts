/** Where a request can be sent: a route of a channel, with all that is needed to send it there. */
import type { Card, Channel, Route } from '../catalogue/catalogue.ts';
import type { Quirks } from '../protocols/quirks.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';
import type { FailureContext } from './upstream-failure.ts';

export type Destination<C extends Card = Card> = {
  /** The channel that serves if this one answers: its card prices the request. */
  readonly channel: Channel<C>;
  readonly route: Route;
  readonly upstream: Upstream;
  /** What the upstream is asked in: the caller's own dialect where it speaks it. */
  readonly format: WireFormat;
  /** Whether that is not the caller's own dialect. */
  readonly isTranslated: boolean;
  /** The upstream's, and what this route's model refuses. */
  readonly quirks: Quirks;
};

/** What its failures must not show of it, and how its model is called here. */
export const failureContext = ({ upstream, route, channel }: Destination): FailureContext => ({
  upstream: upstream.name,
  hidden: upstream.hidden,
  model: { there: route.model, here: channel.card.model },
});
