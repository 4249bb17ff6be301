/** The chat parameters that the playground offers, and which channels support them. */
import type { Channel, Model } from '#catalogue/models.ts';

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const MAX_STOPS = 4;

/** The type of a parameter and the values that the API allows. `step` is what an arrow key adds. */
export type ParameterShape =
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly step: number }
  | { readonly kind: 'integer'; readonly min: number | null }
  /** A number of tokens up to the model's maximum output. */
  | { readonly kind: 'output' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'list'; readonly max: number };

const fraction = (min: number, max: number): ParameterShape => ({
  ...{ kind: 'number', min, max, step: 0.1 },
});

/** The parameters in display order. */
export const PARAMETERS = {
  max_completion_tokens: { kind: 'output' },
  reasoning_effort: { kind: 'choice', choices: EFFORTS },
  temperature: fraction(0, 2),
  top_p: fraction(0, 1),
  stop: { kind: 'list', max: MAX_STOPS },
  response_format: { kind: 'choice', choices: ['text', 'json_object'] },
  presence_penalty: fraction(-2, 2),
  frequency_penalty: fraction(-2, 2),
  seed: { kind: 'integer', min: null },
} as const satisfies Readonly<Record<string, ParameterShape>>;

export type ParameterName = keyof typeof PARAMETERS;
export const PARAMETER_NAMES = Object.keys(PARAMETERS).filter(isParameterName);

function isParameterName(name: string): name is ParameterName {
  return Object.hasOwn(PARAMETERS, name);
}

export type ParameterValue = number | string | readonly string[];
/** The values that are set. A missing parameter has the model's default. */
export type ParameterValues = { readonly [Name in ParameterName]?: ParameterValue };

/**
 * Returns the channel with this name, otherwise the default channel; undefined when the model has
 * no channels.
 */
export const channelOf = (model: Model, name: string | null): Channel | undefined =>
  model.channels.find(({ channel }) => channel === name) ??
  model.channels.find((channel) => channel.default) ??
  model.channels[0];

/** The model and the channel of a request. */
export type Target = { readonly model: Model; readonly channel: string | null };

export const isSupported = (name: string, { model, channel }: Target): boolean =>
  channelOf(model, channel)?.supported_parameters.some((known) => known === name) ?? false;

/** Returns the parameters that at least one target supports. */
export const offeredParameters = (targets: readonly Target[]): readonly ParameterName[] =>
  PARAMETER_NAMES.filter((name) => targets.some((target) => isSupported(name, target)));

/**
 * Converts parameters to fields of the request. Omits those that the target does not support.
 * Limits the output tokens to the model's maximum.
 */
export function membersFor(values: ParameterValues, target: Target) {
  const set = PARAMETER_NAMES.flatMap((name) => {
    const value = values[name];
    return value === undefined || !isSupported(name, target) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(
    set.map(([name, value]) => [name, memberOf(name, value, target.model)]),
  );
}

function memberOf(name: ParameterName, value: ParameterValue, model: Model) {
  if (name === 'response_format') return { type: value };
  if (name !== 'max_completion_tokens' || typeof value !== 'number') return value;
  return Math.min(value, model.max_output_tokens ?? value);
}

/** Parses an untrusted value; null when the API would refuse it. */
export function parameterIn(name: ParameterName, value: unknown): ParameterValue | null {
  const shape: ParameterShape = PARAMETERS[name];
  switch (shape.kind) {
    case 'number':
      return typeof value === 'number' && value >= shape.min && value <= shape.max ? value : null;
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
    case 'output':
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
    case 'choice':
      return shape.choices.find((choice) => choice === value) ?? null;
    case 'list': {
      const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
      const isWhole = Array.isArray(value) && texts.length === value.length;
      return isWhole && texts.length <= shape.max ? texts : null;
    }
  }
}

/** Returns the values with one parameter changed, or removed when its value is empty. */
export function withValue(
  values: ParameterValues,
  name: ParameterName,
  value: ParameterValue | null,
): ParameterValues {
  const { [name]: _, ...others } = values;
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? others : { ...others, [name]: value };
}
