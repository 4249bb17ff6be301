/** What the gateway tells of itself: a line and figures for every request. */
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { Metrics } from '../http/metrics.ts';
import { RequestJournal } from '../http/telemetry/request-journal.ts';
import type { InFlight } from '../relay/in-flight.ts';
import type { GatewayDeps } from './gateway.ts';

export type Telemetry = {
  readonly metrics: Metrics;
  readonly journal: RequestJournal;
};

export function openTelemetry(
  { clock, requestLines }: GatewayDeps,
  { inFlight, live }: { readonly inFlight: InFlight; readonly live: LiveCatalogue },
): Telemetry {
  const metrics = new Metrics(() => inFlight.count);
  const isModel = (id: string): boolean => live.current.models.has(id);
  const journal = new RequestJournal({
    clock,
    sampling: 'off',
    onOver: (finished) => requestLines.write(finished, isModel),
  });
  return { metrics, journal };
}
