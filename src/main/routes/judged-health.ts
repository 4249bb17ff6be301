/**
 * Judges the health of channels by the health of their routes and by the counts of their requests.
 */
import type { HealthOf } from '../../http/caller/channel-health-body.ts';
import { channelHealth } from '../../routing/channel-health.ts';
import type { HistorySnapshot } from '../../telemetry/channel-history.ts';
import type { Rooms } from '../rooms.ts';

export function judgedHealth({ routing, telemetry }: Pick<Rooms, 'routing' | 'telemetry'>) {
  const history = async () => await telemetry.history.current();
  const healthOf =
    (counts: HistorySnapshot): HealthOf =>
    (model, channel) =>
      channelHealth(routing.health, channel, counts.of(model.id, channel.name));
  return { history, healthOf, now: async () => healthOf(await history()) };
}
