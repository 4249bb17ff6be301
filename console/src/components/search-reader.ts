/**
 * Reads the search parameters of a page's URL, which anybody can write. A parameter that is
 * invalid, unknown or repeated reads as undefined.
 */
import * as v from 'valibot';

/** The maximum length of a filter, in a URL and in a field. The API refuses longer ones. */
export const MAX_FILTER_CHARS = 200;
const MAX_LONG_CHARS = 2_000;

/** Creates a parameter whose invalid values read as undefined. */
const valid = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);

/**
 * The schema of a text. The router parses `?q=12` as a number and `?q=true` as a boolean, so both
 * are converted to texts.
 */
const upTo = (chars: number) =>
  v.pipe(
    v.union([v.string(), v.number(), v.boolean()]),
    v.transform(String),
    v.maxLength(chars),
    v.regex(/\S/),
  );

export const text = valid(upTo(MAX_FILTER_CHARS));

/** A parameter whose value may be longer than people type, such as the cursor of a list's page. */
export const longText = valid(upTo(MAX_LONG_CHARS));

/** Creates a parameter whose value is a text that passes a check. */
export const checkedText = (isValid: (text: string) => boolean) =>
  valid(v.pipe(upTo(MAX_LONG_CHARS), v.check(isValid)));

/** Creates a parameter whose value is one of these names. */
export const choice = <const Names extends v.PicklistOptions>(names: Names) =>
  valid(v.picklist(names));

/** A parameter that is present as `true`, or absent. */
export const flag = valid(v.literal(true));

/** A parameter whose value is a UTC day, or a time such as 2026-11-21T08:30:00Z. */
export const dayOrTime = checkedText((text) => {
  const [date, time = '00:00Z'] = text.split('T');
  return TIME.test(time) && isMoment(`${date}T${padded(time)}`);
});

const TIME = /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/;
const padded = (time: string): string => {
  const [seconds = '', fraction = ''] = time.slice(0, -1).split('.');
  return `${seconds.padEnd(8, ':00')}.${fraction.padEnd(3, '0')}Z`;
};

/** Whether an ISO time exists (February 30th does not) and is in a year from 2000 to 2099. */
const isMoment = (iso: string): boolean => {
  const ms = Date.parse(iso);
  return /^20\d\d-/.test(iso) && !Number.isNaN(ms) && new Date(ms).toISOString() === iso;
};

/**
 * Creates the `validateSearch` of a route.
 * @param fields the parameters of the page, each made by a function of this module.
 */
export function searchReader<const Fields extends v.ObjectEntries>(fields: Fields) {
  const schema = v.object(fields);
  return (search: Readonly<Record<string, unknown>>): v.InferOutput<typeof schema> => ({
    // The router merges this result into the URL's parameters, so it must contain the invalid
    // parameters with the value undefined. Otherwise they would stay.
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...v.parse(schema, search),
  });
}
