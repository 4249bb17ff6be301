/**
 * Lists the settings of a document, an upstream or a model as form fields. Their types and limits
 * come from the schema.
 */
import * as z from 'zod';
import { fileSchema, modelSchema } from '../schema.ts';
import { settle, valueAt } from '../schema-path.ts';
import { upstreamSchema } from '../upstream-schema.ts';
import { secrets, writtenForms } from '../values.ts';
import { SECTIONS } from './document.ts';
import { built } from './on-demand.ts';

/**
 * The types of form fields. A `list` contains texts, and `json` is a map. A field of any other type
 * has a single value.
 */
export const FIELD_TYPES = [
  ...(['boolean', 'choice', 'integer', 'decimal'] as const),
  ...(['duration', 'size', 'text', 'secret', 'list', 'json'] as const),
] as const;

export type Scalar = string | number | boolean | null;

export type SettingField = {
  /** The path of the setting from the root of the document, such as `limits`, `drain`. */
  readonly keys: readonly string[];
  readonly type: (typeof FIELD_TYPES)[number];
  /** The value that applies if the setting is absent; null if there is no default. */
  readonly default: Scalar | string[];
  /** The minimum value, in the syntax of the configuration; null if there is no minimum. */
  readonly minimum: string | null;
  /** The maximum value, in the syntax of the configuration; null if there is no maximum. */
  readonly maximum: string | null;
  /**
   * The allowed values of a choice, or the allowed items of a list; empty if any text is allowed.
   */
  readonly choices: readonly string[];
  /** Whether the upstream or model is invalid without this setting. */
  readonly required: boolean;
  /**
   * Another setting and the value that it must have for this field to exist; null if the field
   * always exists.
   */
  readonly onlyIf: { readonly keys: readonly string[]; readonly value: string } | null;
};

/** The sections that have forms of their own, since they contain records, long texts or images. */
const WITH_OWN_FORMS: readonly string[] = [
  ...['upstreams', 'models', 'price_lists', 'calendars', 'brand'],
];

type Place = Pick<SettingField, 'keys' | 'onlyIf'> & {
  /**
   * The current value in the document. It decides which branch of a union in the schema applies.
   */
  readonly given?: unknown;
  /** Whether the field is inside a part that may be omitted, so that the field is not required. */
  readonly isOptional?: boolean;
};

function* fieldsOf(schema: unknown, preset: unknown, place: Place): Generator<SettingField> {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    const isOptional = true;
    yield* fieldsOf(schema.unwrap(), preset ?? schema.def.defaultValue, { ...place, isOptional });
  } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* fieldsOf(schema.unwrap(), preset, { ...place, isOptional: true });
  } else if (schema instanceof z.ZodObject) {
    for (const [key, each] of Object.entries(schema.shape)) {
      yield* fieldsOf(each, valueAt(preset, [key]), inside(place, key));
    }
  } else if (schema instanceof z.ZodDiscriminatedUnion) {
    yield* fieldsOfUnion(schema, preset, place);
  } else if (schema instanceof z.ZodUnion && !writtenForms.has(schema)) {
    yield* fieldsOf(branchOf(schema, place.given), preset, place);
  } else if (!(schema instanceof z.ZodLiteral)) {
    const { keys, onlyIf, isOptional = false } = place;
    yield {
      keys,
      onlyIf,
      required: !isOptional,
      default: presetOf(preset),
      ...NO_BOUNDS,
      ...formOf(schema),
    };
  }
}

const inside = ({ given, ...place }: Place, key: string): Place => ({
  ...place,
  keys: [...place.keys, key],
  given: valueAt(given, [key]),
});

/**
 * Returns the member of a union that matches the type of the given value. The value is a text, or a
 * map such as one text for each language.
 */
const branchOf = ({ options }: z.ZodUnion, given: unknown): unknown =>
  options.find((each) => each instanceof z.ZodObject === (typeof given === 'object')) ?? options[0];

/**
 * Yields the field that selects the branch, followed by the fields of the branches. A field that
 * all branches share is listed once. Any other field is listed for each branch, because its default
 * may differ.
 */
function* fieldsOfUnion(
  union: z.ZodDiscriminatedUnion,
  preset: unknown,
  place: Place,
): Generator<SettingField> {
  const chosen = [...place.keys, union.def.discriminator];
  const branches = union.options.flatMap((option) => (option instanceof z.ZodObject ? option : []));
  const choices = branches.map(({ shape }) => {
    const literal: unknown = shape[union.def.discriminator];
    return literal instanceof z.ZodLiteral ? String(literal.value) : '';
  });
  const byDefault = scalarOf(valueAt(preset, [union.def.discriminator]));
  const required = place.isOptional !== true;
  const form = { keys: chosen, type: 'choice', ...NO_BOUNDS, choices, onlyIf: null } as const;
  yield { ...form, required, default: byDefault };
  const seen = new Set<string>([union.def.discriminator]);
  for (const [index, { shape }] of branches.entries()) {
    for (const [key, each] of Object.entries(shape)) {
      if (seen.has(key)) continue;
      const isCommon = branches.every((branch) => key in branch.shape);
      if (isCommon) seen.add(key);
      const onlyIf = isCommon ? null : { keys: chosen, value: choices[index] ?? '' };
      yield* fieldsOf(each, undefined, { ...inside(place, key), onlyIf });
    }
  }
}

const NO_BOUNDS = { minimum: null, maximum: null, choices: [] } as const;

type Form = Pick<SettingField, 'type'> & Partial<SettingField>;

function formOf(schema: unknown): Form {
  if (!(schema instanceof z.ZodType)) return { type: 'text' };
  if (schema instanceof z.ZodRecord) return { type: 'json' };
  if (secrets.has(schema)) return { type: 'secret' };
  const written = writtenForms.get(schema);
  if (written !== undefined) return written;
  if (schema instanceof z.ZodBoolean) return { type: 'boolean' };
  if (schema instanceof z.ZodEnum) return { type: 'choice', choices: schema.options.map(String) };
  if (schema instanceof z.ZodNumber) {
    return {
      type: 'integer',
      minimum: String(schema.minValue),
      maximum: String(schema.maxValue),
    };
  }
  if (schema instanceof z.ZodArray) {
    const { element } = schema;
    return {
      type: 'list',
      choices: element instanceof z.ZodEnum ? element.options.map(String) : [],
    };
  }
  return { type: 'text' };
}

const presetOf = (value: unknown): SettingField['default'] =>
  Array.isArray(value) ? value.map(String) : scalarOf(value);

const scalarOf = (value: unknown): Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;

/** Returns the fields in the order of the schema. */
export const settingFields = built((): readonly SettingField[] =>
  SECTIONS.filter((name) => !WITH_OWN_FORMS.includes(name)).flatMap((name) => [
    ...fieldsOf(Object.getOwnPropertyDescriptor(fileSchema().shape, name)?.value, undefined, {
      keys: [name],
      onlyIf: null,
    }),
  ]),
);

const RECORDS = { upstreams: upstreamSchema, models: modelSchema } as const;
export type RecordSection = keyof typeof RECORDS;

/** The parts of a model whose forms are on pages of their own. */
const WITH_OWN_PAGES: readonly string[] = ['channels'];

/**
 * Lists the fields of an upstream or a model. They depend on `value`, which contains the upstream's
 * protocol or the model's kind.
 */
export function recordFields(
  section: RecordSection,
  id: string,
  value: unknown,
): readonly SettingField[] {
  const { schema } = settle(RECORDS[section](), value);
  if (!(schema instanceof z.ZodObject)) return [];
  const place: Place = { keys: [section, id], onlyIf: null, given: value };
  return Object.entries(schema.shape)
    .filter(([key]) => !WITH_OWN_PAGES.includes(key))
    .flatMap(([key, each]) => [...fieldsOf(each, undefined, inside(place, key))]);
}
