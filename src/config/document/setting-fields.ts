/** Lists the settings of a document that are single values, as the schema has them, for forms. */
import { z } from 'zod';
import { fileSchema } from '../schema.ts';
import { valueAt } from '../schema-path.ts';
import { secrets, writtenForms } from '../values.ts';
import { SECTIONS } from './document.ts';

export const FIELD_TYPES = [
  ...(['boolean', 'choice', 'integer', 'decimal'] as const),
  ...(['duration', 'size', 'text', 'secret'] as const),
] as const;

export type Scalar = string | number | boolean | null;

export type SettingField = {
  /** Its keys from the top of the document, such as `limits`, `drain`. */
  readonly keys: readonly string[];
  readonly type: (typeof FIELD_TYPES)[number];
  /** The value when nothing is written; null for none. */
  readonly default: Scalar;
  /** The bounds as they are written; null without one. */
  readonly minimum: string | null;
  readonly maximum: string | null;
  /** The allowed values of a choice. */
  readonly choices: readonly string[];
  /** The setting that must have this value, or else the field does not exist. */
  readonly onlyIf: { readonly keys: readonly string[]; readonly value: string } | null;
};

/** The sections that consist of records, or of texts and pictures. */
const WITH_OWN_FORMS: readonly string[] = [
  ...['upstreams', 'models', 'price_lists', 'calendars', 'brand'],
];

type Place = Pick<SettingField, 'keys' | 'onlyIf'>;

function* fieldsOf(schema: unknown, preset: unknown, place: Place): Generator<SettingField> {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    yield* fieldsOf(schema.unwrap(), preset ?? schema.def.defaultValue, place);
  } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* fieldsOf(schema.unwrap(), preset, place);
  } else if (schema instanceof z.ZodObject) {
    for (const [key, each] of Object.entries(schema.shape)) {
      yield* fieldsOf(each, valueAt(preset, [key]), { ...place, keys: [...place.keys, key] });
    }
  } else if (schema instanceof z.ZodDiscriminatedUnion) {
    yield* fieldsOfUnion(schema, preset, place);
  } else {
    yield { ...place, default: scalarOf(preset), ...NO_BOUNDS, ...formOf(schema) };
  }
}

/** The choice of a branch, the fields that all branches have, and then those of one each. */
function* fieldsOfUnion(
  union: z.ZodDiscriminatedUnion,
  preset: unknown,
  { keys }: Place,
): Generator<SettingField> {
  const chosen = [...keys, union.def.discriminator];
  const branches = union.options.flatMap((option) => (option instanceof z.ZodObject ? option : []));
  const choices = branches.map(({ shape }) => {
    const literal: unknown = shape[union.def.discriminator];
    return literal instanceof z.ZodLiteral ? String(literal.value) : '';
  });
  const byDefault = scalarOf(valueAt(preset, [union.def.discriminator]));
  yield { keys: chosen, type: 'choice', default: byDefault, ...NO_BOUNDS, choices, onlyIf: null };
  const seen = new Set<string>([union.def.discriminator]);
  for (const [index, { shape }] of branches.entries()) {
    for (const [key, each] of Object.entries(shape)) {
      if (seen.has(key)) continue;
      seen.add(key);
      const isCommon = branches.every((branch) => key in branch.shape);
      const onlyIf = isCommon ? null : { keys: chosen, value: choices[index] ?? '' };
      yield* fieldsOf(each, undefined, { keys: [...keys, key], onlyIf });
    }
  }
}

const NO_BOUNDS = { minimum: null, maximum: null, choices: [] } as const;

type Form = Pick<SettingField, 'type'> & Partial<SettingField>;

function formOf(schema: unknown): Form {
  if (!(schema instanceof z.ZodType)) return { type: 'text' };
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
  return { type: 'text' };
}

const scalarOf = (value: unknown): Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;

/** The fields in the order of the schema. */
export const SETTING_FIELDS: readonly SettingField[] = SECTIONS.filter(
  (name) => !WITH_OWN_FORMS.includes(name),
).flatMap((name) => [
  ...fieldsOf(Object.getOwnPropertyDescriptor(fileSchema.shape, name)?.value, undefined, {
    keys: [name],
    onlyIf: null,
  }),
]);
