/** Writes strings, numbers, booleans and enum options, preferably with entities of the text. */
import type { JsonObject } from '../body-fields.ts';
import { type Entities, hasWord, keyedValue, wordsOf } from '../entities.ts';
import { patternSample } from './pattern-sample.ts';
import { acceptsShallowly, asList, firstOptions } from './subschemas.ts';

/** `mentioned`: optional properties only when the text names them. `all`: every property. */
export type OptionalProperties = 'mentioned' | 'all';

/** Remaining steps. Bounds the cost of all schemas of one request. */
export type StepBudget = { left: number };
export const stepBudget = (): StepBudget => ({ left: 1_000 });

/** Entries of a list per step, and characters of a text per entry. */
const ENTRIES_PER_STEP = 20;
const CHARS_PER_ENTRY = 4;
/** Fixed cost of parsing a pattern, in entries. */
const PATTERN_ENTRIES = 200;
const MAX_EXAMPLES = 8;

/** State of writing one value. */
export type Run = {
  /** The schema that references resolve in. */
  readonly root: unknown;
  readonly entities: Entities;
  readonly optional: OptionalProperties;
  readonly budget: StepBudget;
  /** Each number of the text is used once, in order. */
  numbersUsed: number;
  /** Cached samples by pattern and lengths, since the items of a list share a pattern. */
  readonly samples: Map<string, string>;
};

/** A position in the value. `variant` distinguishes the items of a list. */
export type Place = { readonly field: string; readonly depth: number; readonly variant: number };

export const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** Charges lists by their length, which the steps do not bound. */
export function spend(run: Run, entries: number): void {
  run.budget.left -= entries / ENTRIES_PER_STEP;
}

export function writeOption(run: Run, schema: JsonObject, place: Place): unknown {
  const { enum: all, ...rest } = schema;
  const listed = firstOptions(all);
  spend(run, listed.length);
  const options = listed.filter((option) => acceptsShallowly(rest, option));
  const named = options.findIndex((option) => {
    const isWord = typeof option === 'string' || typeof option === 'number';
    return isWord && hasWord(run.entities, `${option}`);
  });
  const index = (Math.max(named, 0) + place.variant) % Math.max(1, options.length);
  return options[index] ?? listed[0] ?? null;
}

export function writeText(run: Run, schema: JsonObject, place: Place): unknown {
  const preset = presetOf(run, schema, place);
  if (preset !== undefined) return preset;
  const { pattern } = schema;
  // The pattern is never run, so no text of the request can be matched with it.
  const text =
    typeof pattern === 'string'
      ? sampleFor(run, schema, pattern)
      : stringFor(schema, place.field, run.entities, place.variant);
  // Charging long texts keeps the answer below a megabyte.
  spend(run, text.length / CHARS_PER_ENTRY);
  return text;
}

function sampleFor(run: Run, schema: JsonObject, pattern: string): string {
  const { least, most } = lengthsOf(schema);
  const key = `${least} ${most} ${pattern}`;
  const known = run.samples.get(key);
  if (known !== undefined) return known;
  spend(run, PATTERN_ENTRIES + pattern.length);
  const sample = patternSample(pattern, least, most) ?? '';
  run.samples.set(key, sample);
  return sample;
}

/** The default or an example of the schema, unless the text names the field. */
function presetOf(run: Run, schema: JsonObject, place: Place): unknown {
  const offered = [schema['default'], ...asList(schema['examples']).slice(0, MAX_EXAMPLES)];
  const preset = offered.find((each) => each !== undefined && acceptsShallowly(schema, each));
  return place.variant > 0 || mentionsField(run, place.field) ? undefined : preset;
}

export function writeBoolean(run: Run, schema: JsonObject, place: Place): boolean {
  const preset = presetOf(run, schema, place);
  if (typeof preset === 'boolean') return preset;
  const name = wordsOf(place.field).join(' ');
  const refusals = ['no', 'not', 'without', 'disable', '不要'].map((word) => `${word} ${name}`);
  const isRefused = name !== '' && refusals.some((each) => hasWord(run.entities, each));
  return isRefused === (place.variant % 2 === 1);
}

export function writeNumber(run: Run, schema: JsonObject, place: Place, whole: 1 | null): number {
  const fits = (value: number): boolean =>
    acceptsShallowly(schema, value) && (whole === null || Number.isInteger(value));
  const { numbers } = run.entities;
  const index = numbers.findIndex((each, at) => at >= run.numbersUsed && fits(each));
  if (index >= 0) {
    run.numbersUsed = index + 1;
    return numbers[index] ?? 0;
  }
  const preset = presetOf(run, schema, place);
  if (typeof preset === 'number') return preset;
  const step = numberOr(schema['multipleOf'], 0) || whole;
  const tries = numbersWithin(schema, step, place.variant);
  return tries.find((value) => Number.isFinite(value) && fits(value)) ?? tries[0] ?? 0;
}

export function mentionsField(run: Run, field: string): boolean {
  const words = wordsOf(field);
  const isNamed = (name: string): boolean => hasWord(run.entities, name);
  return words.length > 0 && (isNamed(words.join(' ')) || isNamed(field));
}

/** Candidates near one, else near the closest limit. */
function numbersWithin(schema: JsonObject, step: number | null, variant: number): number[] {
  const low = Math.max(
    numberOr(schema['minimum'], -Infinity),
    numberOr(schema['exclusiveMinimum'], -Infinity),
  );
  const high = Math.min(
    numberOr(schema['maximum'], Infinity),
    numberOr(schema['exclusiveMaximum'], Infinity),
  );
  const start = low > 1 ? low : high < 1 ? high : 1;
  if (step !== null) {
    const base = Math.ceil(start / step);
    return [variant, variant + 1, -variant, -variant - 1, 0, 1, -1].map((offset) =>
      Number(((base + offset) * step).toPrecision(15)),
    );
  }
  const width = Number.isFinite(high - low) ? high - low : 1;
  const near = [start + variant / 2, start - variant / 2, start];
  return [...near, low + width / (variant + 2), high - width / 2];
}

type Source = (entities: Entities) => readonly string[];

const MAX_SUMMARY_CHARS = 200;
const wholeText: Source = ({ text }) => [
  text.trim().replace(/\s+/g, ' ').slice(0, MAX_SUMMARY_CHARS).trim(),
];

/** Matches the word of a field name, singular or plural. */
const named = (words: string): RegExp => new RegExp(`^(?:${words.replaceAll(' ', '|')})s?$`);

/** Suggestions for a field by a word of its name: entities of the text, then examples. */
const FIELDS: readonly (readonly [RegExp, Source, string])[] = [
  [named('email mail recipient to cc bcc'), ({ emails }) => emails, ''],
  [named('url uri link href website page'), ({ urls }) => urls, ''],
  [named('date day deadline birthday when start end'), ({ dates }) => dates, ''],
  [named('time hour clock'), ({ times }) => times, ''],
  [named('tz zone timezone'), ({ zones }) => zones, 'UTC Europe/Paris Asia/Shanghai'],
  [
    named('city citie location place town destination origin address where station'),
    ({ places, names }) => [...places, ...names],
    'Paris Shanghai Nairobi Lima',
  ],
  [
    named('country region'),
    ({ places, names }) => [...places, ...names],
    'France China Kenya Peru',
  ],
  [
    named('name person user who author title company customer product'),
    ({ places, names }) => [...names, ...places],
    '',
  ],
  [named('language lang locale'), () => [], 'en zh fr'],
  [named('currency'), () => [], 'USD CNY EUR'],
  [
    named(
      'query querie q question prompt text message content input body topic subject search ' +
        'task description expression summary answer reply response',
    ),
    wholeText,
    '',
  ],
];

/** Texts for a field, best first. `variant` rotates them, so that array items differ. */
function suggestions(field: string, entities: Entities, variant: number): readonly string[] {
  const words = wordsOf(field);
  const rows = FIELDS.filter(([name]) => words.some((word) => name.test(word)));
  const isFreeText = rows.some(([, source]) => source === wholeText);
  const special = rows.flatMap(([, source]) => (source === wholeText ? [] : source(entities)));
  const found = [...special, ...entities.quoted, ...(isFreeText ? wholeText(entities) : [])];
  const offered = found.length > 0 ? found : [...entities.names, ...entities.places];
  const keyed = variant === 0 ? keyedValue(entities, field) : null;
  const example = rows.flatMap(([, , list]) => list.split(' '))[variant];
  const all = [keyed, ...offered.slice(variant), example];
  return all.flatMap((text) => (text === null || text === undefined || text === '' ? [] : [text]));
}

/** A value of each format for a variant. */
const FORMATS: ReadonlyMap<string, (variant: number) => string> = new Map(
  Object.entries<(variant: number) => string>({
    date: (variant) => `2026-01-${String(1 + (variant % 28)).padStart(2, '0')}`,
    time: (variant) => `09:${String(variant % 60).padStart(2, '0')}:00Z`,
    'date-time': (variant) => `2026-01-01T09:${String(variant % 60).padStart(2, '0')}:00Z`,
    duration: (variant) => `PT${variant + 1}H`,
    email: (variant) => `user${variant + 1}@example.com`,
    hostname: (variant) => `host${variant + 1}.example.com`,
    uri: (variant) => `https://example.com/${variant + 1}`,
    url: (variant) => `https://example.com/${variant + 1}`,
    'uri-reference': (variant) => `/items/${variant + 1}`,
    uuid: (variant) => `3f2504e0-4f89-41d3-9a0c-${variant.toString(16).padStart(12, '0')}`,
    ipv4: (variant) => `192.0.2.${variant % 255}`,
    ipv6: (variant) => `2001:db8::${(variant + 1).toString(16)}`,
    'json-pointer': (variant) => `/items/${variant}`,
    regex: (variant) => `^item${variant}$`,
  }),
);

/** Entities that have the format. */
const FORMATTED: ReadonlyMap<string, Source> = new Map(
  Object.entries<Source>({
    date: ({ dates }) => dates,
    email: ({ emails }) => emails,
    uri: ({ urls }) => urls,
    url: ({ urls }) => urls,
  }),
);

/** Texts are not padded beyond this length. */
const MAX_PADDED_CHARS = 4_000;

const lengthsOf = (schema: JsonObject): { readonly least: number; readonly most: number } => ({
  least: Math.min(numberOr(schema['minLength'], 0), MAX_PADDED_CHARS),
  most: numberOr(schema['maxLength'], Infinity),
});

function stringFor(schema: JsonObject, field: string, entities: Entities, variant: number): string {
  const { least, most } = lengthsOf(schema);
  const fits = (text: string): boolean => {
    const { length } = [...text];
    return length >= least && length <= most;
  };
  const { format } = schema;
  const formatted = FORMATS.get(`${format}`.replace('idn-', '').replace('iri', 'uri'));
  if (formatted !== undefined) {
    const offered = FORMATTED.get(`${format}`)?.(entities)[variant];
    return offered !== undefined && fits(offered) ? offered : formatted(variant);
  }
  for (const text of suggestions(field, entities, variant)) {
    const cut = fits(text) ? text : [...text].slice(0, most).join('').trim();
    if (cut !== '' && fits(cut)) return cut;
  }
  const number = variant > 0 ? ` ${variant + 1}` : '';
  const plain = `${field === '' ? 'value' : wordsOf(field).join(' ')}${number}`.padEnd(least, '.');
  if (plain.length <= most) return plain;
  const letter = String.fromCharCode(97 + (variant % 26));
  return variant > 0 ? letter.repeat(Math.max(1, least)).slice(0, most) : plain.slice(0, most);
}
