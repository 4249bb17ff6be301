/** Writes incidents as an Atom feed (RFC 4287), for feed readers and chat tools. */
import { z } from 'zod';
import { CHANNELS } from '../../../catalogue/catalogue.ts';
import { time } from '../../edge/answer-schema.ts';
import { isoTime } from '../account-body.ts';

export const MODEL_ID = z.string().meta({ description: 'The id of the model.' });
export const MODEL_NAME = z.string().meta({ description: 'The name of the model.' });
export const CHANNEL_NAME = z.enum(CHANNELS).meta({ description: 'The name of the channel.' });
export const INCIDENT = z
  .strictObject({
    model: MODEL_ID,
    name: MODEL_NAME,
    channel: CHANNEL_NAME,
    from: time.meta({ description: 'The start of the first hour.' }),
    until: time.meta({ description: 'The end of the last hour.' }),
    ongoing: z.boolean().meta({ description: 'Whether it reaches into the last two hours.' }),
    success_rate: z.number().meta({ description: 'Share of requests that succeeded, 0 to 1.' }),
  })
  .meta({
    id: 'Incident',
    description: 'Hours in a row in which a tenth or more of the requests failed.',
  });
export type IncidentBody = z.infer<typeof INCIDENT>;

/** The latest incidents only: readers keep earlier ones themselves. */
const MAX_ENTRIES = 50;
const HEADERS = {
  'content-type': 'application/atom+xml; charset=utf-8',
  'cache-control': 'public, max-age=60',
} as const;

export function incidentFeed(
  incidents: readonly IncidentBody[],
  { name, publicUrl }: { readonly name: string; readonly publicUrl: string },
  nowMs: number,
): Response {
  const page = `${publicUrl}/console/status`;
  const self = `${publicUrl}/status/incidents.atom`;
  const updated = incidents[0]?.until ?? isoTime(nowMs);
  const feed = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    '<title>Incidents</title>',
    `<id>${Bun.escapeHTML(self)}</id>`,
    `<link rel="self" href="${Bun.escapeHTML(self)}"/>`,
    `<link href="${Bun.escapeHTML(page)}"/>`,
    `<updated>${updated}</updated>`,
    `<author><name>${Bun.escapeHTML(name)}</name></author>`,
    ...incidents.slice(0, MAX_ENTRIES).map((incident) => entry(incident, page)),
    '</feed>',
  ];
  return new Response(`${feed.join('\n')}\n`, { headers: HEADERS });
}

function entry(incident: IncidentBody, page: string): string {
  const { model, name, channel, from, until, ongoing, success_rate: rate } = incident;
  const failed = `${Math.round((1 - rate) * 1000) / 10} % of requests failed`;
  const id = `${page}?${new URLSearchParams({ model, channel, from })}`;
  return [
    '<entry>',
    `<id>${Bun.escapeHTML(id)}</id>`,
    `<title>${Bun.escapeHTML(`${name} on ${channel}: ${failed}`)}</title>`,
    `<link href="${Bun.escapeHTML(page)}"/>`,
    `<published>${from}</published>`,
    `<updated>${until}</updated>`,
    `<summary>${Bun.escapeHTML(`From ${from} ${ongoing ? 'until now' : `to ${until}`}.`)}</summary>`,
    '</entry>',
  ].join('\n');
}
