/** A string for a schema: what the text offers for a field of that name, bent to the schema's demands. */
import type { JsonObject } from '../body-fields.ts';
import { type Entities, keyedValue, wordsOf } from '../reply/entities.ts';
import { readPattern } from './pattern.ts';

type Source = (entities: Entities) => readonly string[];

const MAX_GIST_CHARS = 200;
const gist: Source = ({ text }) => [
  text.trim().replace(/\s+/g, ' ').slice(0, MAX_GIST_CHARS).trim(),
];

/** Which entities suit a field, by a word of its name; the first row that has any is taken. */
const SOURCES: readonly (readonly [RegExp, Source])[] = [
  [/^(e?mails?|recipient|to|cc|bcc)$/, (entities) => entities.emails],
  [/^(url|uri|link|href|website|page)s?$/, (entities) => entities.urls],
  [/^(date|day|deadline|birthday|when|start|end)s?$/, (entities) => entities.dates],
  [/^(time|hour|clock)$/, (entities) => entities.times],
  [/^(tz|zone|timezone)$/, (entities) => entities.zones],
  [
    /^(city|cities|location|place|country|region|town|destination|origin|address|where|station)s?$/,
    ({ places, names }) => [...places, ...names],
  ],
  [
    /^(name|person|user|who|author|title|company|customer|product)s?$/,
    ({ places, names }) => [...names, ...places],
  ],
  [
    /^(query|queries|q|question|prompt|text|message|content|input|body|topic|subject|search|task|description|expression|summary|answer|reply|response)s?$/,
    gist,
  ],
];

/** Texts for a field in order of likelihood; `variant` rotates them so that array items differ. */
function* suggestions(field: string, entities: Entities, variant: number): Generator<string> {
  const keyed = keyedValue(entities.text, field);
  if (keyed !== null && variant === 0) yield keyed;
  const words = wordsOf(field);
  const fitting = SOURCES.filter(([name]) => words.some((word) => name.test(word)));
  const isFreeText = fitting.some(([, source]) => source === gist);
  const special = fitting.filter(([, source]) => source !== gist).flatMap(([, of]) => of(entities));
  const found = [...special, ...entities.quoted, ...(isFreeText ? gist(entities) : [])];
  const offered = found.length > 0 ? found : [...entities.names, ...entities.places];
  for (let index = variant; index < offered.length; index += 1) yield offered[index] ?? '';
}

/** What a field is filled with when the text offers nothing at all. */
const EXAMPLES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(tz|zone|timezone)$/, ['UTC', 'Europe/Paris', 'Asia/Shanghai']],
  [/^(city|location|place|town|destination|station)$/, ['Paris', 'Shanghai', 'Nairobi', 'Lima']],
  [/^country$/, ['France', 'China', 'Kenya', 'Peru']],
  [/^(language|lang|locale)$/, ['en', 'zh', 'fr']],
  [/^currency$/, ['USD', 'CNY', 'EUR']],
];

/** Plain values of the formats, each with a part that a variant may change. */
const FORMATS: Readonly<Record<string, (variant: number) => string>> = {
  date: (variant) => `2026-01-${String(1 + (variant % 28)).padStart(2, '0')}`,
  time: (variant) => `09:${String(variant % 60).padStart(2, '0')}:00Z`,
  'date-time': (variant) => `2026-01-01T09:${String(variant % 60).padStart(2, '0')}:00Z`,
  duration: (variant) => `PT${variant + 1}H`,
  email: (variant) => `user${variant + 1}@example.com`,
  'idn-email': (variant) => `user${variant + 1}@example.com`,
  hostname: (variant) => `host${variant + 1}.example.com`,
  'idn-hostname': (variant) => `host${variant + 1}.example.com`,
  uri: (variant) => `https://example.com/${variant + 1}`,
  url: (variant) => `https://example.com/${variant + 1}`,
  iri: (variant) => `https://example.com/${variant + 1}`,
  'uri-reference': (variant) => `/items/${variant + 1}`,
  uuid: (variant) => `3f2504e0-4f89-41d3-9a0c-${variant.toString(16).padStart(12, '0')}`,
  ipv4: (variant) => `192.0.2.${variant % 255}`,
  ipv6: (variant) => `2001:db8::${(variant + 1).toString(16)}`,
  'json-pointer': (variant) => `/items/${variant}`,
  regex: (variant) => `^item${variant}$`,
};

/** Which entities have the form of a format. */
const FORMATTED: Readonly<Record<string, Source>> = {
  date: (entities) => entities.dates,
  email: (entities) => entities.emails,
  uri: (entities) => entities.urls,
  url: (entities) => entities.urls,
};

/** Lengths beyond this are not padded to: a schema must not make an answer of megabytes. */
const MAX_PADDED_CHARS = 4_000;

export function stringFor(
  schema: JsonObject,
  field: string,
  entities: Entities,
  variant: number,
): string {
  const least = Math.min(Number(schema['minLength'] ?? 0), MAX_PADDED_CHARS);
  const most = Number(schema['maxLength'] ?? Infinity);
  const { format, pattern } = schema;
  const expression = typeof pattern === 'string' ? readPattern(pattern) : null;
  const fits = (text: string): boolean => {
    const length = [...text].length;
    return length >= least && length <= most && (expression?.test(text) ?? true);
  };
  if (typeof format === 'string' && FORMATS[format] !== undefined) {
    const offered = FORMATTED[format]?.(entities)[variant];
    if (offered !== undefined && fits(offered)) return offered;
    return FORMATS[format](variant);
  }
  const examples = EXAMPLES.find(([name]) => wordsOf(field).some((word) => name.test(word)))?.[1];
  const example = examples?.slice(variant, variant + 1) ?? [];
  for (const text of [...suggestions(field, entities, variant), ...example]) {
    if (fits(text)) return text;
    const cut = [...text].slice(0, most).join('').trim();
    if (cut !== '' && fits(cut)) return cut;
  }
  if (expression !== null) return expression.sample(least, most) ?? '';
  const plain = `${field === '' ? 'value' : wordsOf(field).join(' ')}${variant > 0 ? ` ${variant + 1}` : ''}`;
  const padded = plain.padEnd(least, '.');
  return variant > 0 && padded.length > most
    ? String.fromCharCode(97 + (variant % 26))
        .repeat(Math.max(1, least))
        .slice(0, most)
    : padded.slice(0, most);
}
