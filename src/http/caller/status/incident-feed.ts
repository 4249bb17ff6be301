/**
 * Writes the measured incidents and the operator's notices as an Atom feed (RFC 4287), for feed
 * readers and chat tools.
 */
import * as z from 'zod';
import { CHANNELS } from '../../../catalogue/catalogue.ts';
import { time } from '../../edge/answer-schema.ts';
import { isoTime } from '../account-body.ts';
import type { NoticeBody } from './notice-body.ts';

export const MODEL_ID = z.string().meta({ description: 'The id of the model.' });
export const MODEL_NAME = z.string().meta({ description: 'The name of the model.' });
export const CHANNEL_NAME = z.enum(CHANNELS).meta({ description: 'The name of the channel.' });
export const INCIDENT = z
  .strictObject({
    model: MODEL_ID,
    name: MODEL_NAME,
    channel: CHANNEL_NAME,
    from: time.meta({ description: 'When the incident began: the start of its first hour.' }),
    until: time.meta({ description: 'When the incident ended: the end of its last hour.' }),
    ongoing: z.boolean().meta({
      description: 'Whether the incident includes the current hour or the hour before it.',
    }),
    success_rate: z
      .number()
      .meta({ description: 'The share of requests that succeeded in these hours, 0 to 1.' }),
  })
  .meta({
    id: 'Incident',
    description: 'Consecutive hours, in each of which a tenth or more of the requests failed.',
  });
export type IncidentBody = z.infer<typeof INCIDENT>;

/**
 * Maximum number of entries. The feed has the latest entries; feed readers keep earlier ones
 * themselves.
 */
const MAX_ENTRIES = 50;
const HEADERS = { 'content-type': 'application/atom+xml; charset=utf-8' } as const;

type Entry = {
  readonly id: string;
  readonly title: string;
  readonly published: string;
  readonly updated: string;
  readonly summary: string;
  readonly content?: string;
};

export type FeedContent = {
  readonly incidents: readonly IncidentBody[];
  readonly notices: readonly NoticeBody[];
};

export function incidentFeed(
  { incidents, notices }: FeedContent,
  { name, publicUrl }: { readonly name: string; readonly publicUrl: string },
  nowMs: number,
): Response {
  const page = `${publicUrl}/console/status`;
  const self = `${publicUrl}/status/incidents.atom`;
  const entries = [
    ...notices.map((notice) => ofNotice(notice, page)),
    ...incidents.map((incident) => ofIncident(incident, page)),
  ].sort((one, other) => (one.updated < other.updated ? 1 : -1));
  const feed = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    '<title>Incidents</title>',
    `<id>${Bun.escapeHTML(self)}</id>`,
    `<link rel="self" href="${Bun.escapeHTML(self)}"/>`,
    `<link href="${Bun.escapeHTML(page)}"/>`,
    `<updated>${entries[0]?.updated ?? isoTime(nowMs)}</updated>`,
    `<author><name>${Bun.escapeHTML(name)}</name></author>`,
    ...entries.slice(0, MAX_ENTRIES).map((entry) => xmlOf(entry, page)),
    '</feed>',
  ];
  return new Response(`${feed.join('\n')}\n`, { headers: HEADERS });
}

function ofIncident(incident: IncidentBody, page: string): Entry {
  const { model, name, channel, from, until, ongoing, success_rate: rate } = incident;
  const failed = `${Math.round((1 - rate) * 1000) / 10} % of requests failed`;
  return {
    id: `${page}?${new URLSearchParams({ model, channel, from })}`,
    title: `${name} on ${channel}: ${failed}`,
    published: from,
    updated: until,
    summary: `From ${from} ${ongoing ? 'until now' : `to ${until}`}.`,
  };
}

function ofNotice(notice: NoticeBody, page: string): Entry {
  const lines = notice.updates.map(({ at, state, text }) => `${at} ${wordsOf(state)}: ${text}`);
  const window = `From ${notice.starts_at} to ${notice.ends_at}.`;
  return {
    id: `${page}?${new URLSearchParams({ notice: notice.id })}`,
    title: notice.title,
    published: notice.updates.at(-1)?.at ?? notice.starts_at,
    updated: notice.updated_at,
    summary: `${wordsOf(notice.state)}. ${notice.updates[0]?.text ?? ''}`,
    content: [...(notice.kind === 'maintenance' ? [window] : []), ...lines].join('\n\n'),
  };
}

/** Returns a state as words: `in_progress` as `In progress`. */
const wordsOf = (state: NoticeBody['state']): string =>
  state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' ');

const xmlOf = ({ id, title, published, updated, summary, content }: Entry, page: string): string =>
  [
    '<entry>',
    `<id>${Bun.escapeHTML(id)}</id>`,
    `<title>${escaped(title)}</title>`,
    `<link href="${Bun.escapeHTML(page)}"/>`,
    `<published>${published}</published>`,
    `<updated>${updated}</updated>`,
    `<summary>${escaped(summary)}</summary>`,
    ...(content === undefined ? [] : [`<content type="text">${escaped(content)}</content>`]),
    '</entry>',
  ].join('\n');

/** Characters that XML 1.0 cannot express, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it matches.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string => Bun.escapeHTML(text.replaceAll(NOT_XML, ''));
