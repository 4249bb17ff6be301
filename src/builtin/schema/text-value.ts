/** Selects texts for string fields, preferably entities from the request. */
import type { JsonObject } from '../body-fields.ts';
import { type Entities, keyedValue, wordsOf } from '../entities.ts';
import { numberOr } from './subschemas.ts';

type Source = (entities: Entities) => readonly string[];

const MAX_SUMMARY_CHARS = 200;
const wholeText: Source = ({ text }) => [
  text.trim().replace(/\s+/g, ' ').slice(0, MAX_SUMMARY_CHARS).trim(),
];

/**
 * The texts for string fields. Each row has words that occur in field names, a function that
 * selects entities of the request, and example texts. The example texts are used if the request has
 * too few entities.
 */
const FIELDS = (
  [
    ['email mail recipient to', ({ emails }) => emails, ''],
    ['url uri link website page', ({ urls }) => urls, ''],
    ['date day deadline birthday when start end', ({ dates }) => dates, ''],
    ['time hour', ({ times }) => times, ''],
    ['tz zone timezone', ({ zones }) => zones, 'UTC Europe/Paris Asia/Shanghai'],
    [
      'city citie location place destination origin address country region where',
      ({ places, names }) => [...places, ...names],
      'Paris Shanghai Nairobi Lima',
    ],
    [
      'name person user author title company customer product',
      ({ places, names }) => [...names, ...places],
      '',
    ],
    ['language locale', () => [], 'en zh fr'],
    ['currency', () => [], 'USD CNY EUR'],
    [
      'query querie question prompt text message content input topic subject search task ' +
        'description expression summary answer response',
      wholeText,
      '',
    ],
  ] satisfies readonly (readonly [string, Source, string])[]
).map(([words, source, examples]) => ({
  // Matches the words of field names in the singular and the plural.
  name: new RegExp(`^(?:${words.replaceAll(' ', '|')})s?$`),
  source,
  examples: examples.split(' '),
}));

/**
 * Returns texts for a field, the best first. `variant` is the number of texts to skip, so that the
 * items of a list differ.
 */
function suggestions(field: string, entities: Entities, variant: number): readonly string[] {
  const words = wordsOf(field);
  const rows = FIELDS.filter(({ name }) => words.some((word) => name.test(word)));
  const special = rows.flatMap(({ source }) => (source === wholeText ? [] : source(entities)));
  const isFreeText = rows.some(({ source }) => source === wholeText);
  const found = [...special, ...entities.quoted, ...(isFreeText ? wholeText(entities) : [])];
  const offered = found.length > 0 ? found : [...entities.names, ...entities.places];
  const keyed = variant === 0 ? keyedValue(entities, field) : null;
  const example = rows.flatMap(({ examples }) => examples)[variant];
  const all = [keyed ?? '', ...offered.slice(variant), example ?? ''];
  return all.filter((text) => text !== '');
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Functions that return a text in one of the formats of JSON Schema. Different variants give
 * different texts.
 */
const FORMATS: ReadonlyMap<unknown, (entities: Entities, variant: number) => string> = new Map(
  Object.entries<(entities: Entities, variant: number) => string>({
    date: ({ dates }, variant) => dates[variant] ?? `2026-01-${twoDigits(1 + (variant % 28))}`,
    time: (_, variant) => `09:${twoDigits(variant % 60)}:00Z`,
    'date-time': (_, variant) => `2026-01-01T09:${twoDigits(variant % 60)}:00Z`,
    duration: (_, variant) => `PT${variant + 1}H`,
    email: ({ emails }, variant) => emails[variant] ?? `user${variant + 1}@example.com`,
    hostname: (_, variant) => `host${variant + 1}.example.com`,
    uri: ({ urls }, variant) => urls[variant] ?? `https://example.com/${variant + 1}`,
    uuid: (_, variant) => `3f2504e0-4f89-41d3-9a0c-${variant.toString(16).padStart(12, '0')}`,
    ipv4: (_, variant) => `192.0.2.${variant % 255}`,
    ipv6: (_, variant) => `2001:db8::${(variant + 1).toString(16)}`,
  }),
);

/** The maximum length to which a text is padded to reach `minLength`. */
const MAX_PADDED_CHARS = 4_000;

/**
 * Returns a text for a string schema. Returns null if the schema has a `pattern` but no known
 * format, because matching a caller's pattern could take forever.
 */
export function textFor(
  { format, pattern, minLength, maxLength }: JsonObject,
  field: string,
  entities: Entities,
  variant: number,
): string | null {
  const formatted = FORMATS.get(format);
  if (formatted !== undefined) return formatted(entities, variant);
  if (pattern !== undefined) return null;
  const least = Math.min(numberOr(minLength, 0), MAX_PADDED_CHARS);
  const most = numberOr(maxLength, Infinity);
  for (const text of suggestions(field, entities, variant)) {
    const cut = [...text].slice(0, most).join('').trim();
    if (cut !== '' && [...cut].length >= least) return cut;
  }
  const number = variant > 0 ? ` ${variant + 1}` : '';
  const plain = `${wordsOf(field).join(' ') || 'value'}${number}`.padEnd(least, '.');
  if (plain.length <= most) return plain;
  const letter = String.fromCharCode(97 + (variant % 26));
  return variant > 0 ? letter.repeat(Math.max(1, least)).slice(0, most) : plain.slice(0, most);
}
