/** Checks a configuration file against its schema and against itself. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { nearest } from './nearest.ts';
import type { Problem } from './problem.ts';
import { type FileSettings, fileSchema } from './schema.ts';
import type { YamlFile } from './yaml-file.ts';

type Path = readonly PropertyKey[];
type Checked = { readonly settings: FileSettings } | { readonly problems: readonly Problem[] };

/** Everything that is wrong at once, or the settings. */
export function checkFile(file: YamlFile): Checked {
  const parsed = fileSchema.safeParse(file.value);
  if (!parsed.success) {
    return { problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, file)) };
  }
  const problems = [...crossChecks(parsed.data)].map(({ path, message }) =>
    at(file, path, message),
  );
  return problems.length > 0 ? { problems } : { settings: parsed.data };
}

function problemsOf(issue: z.core.$ZodIssue, file: YamlFile): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(file.value, issue.path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const hint = near === null ? `known here: ${known.join(', ')}` : `did you mean "${near}"?`;
      return at(file, [...issue.path, key], `unknown key; ${hint}`);
    });
  }
  const missing = issue.code === 'invalid_type' && valueAt(file.value, issue.path) === undefined;
  if (missing) return [at(file, issue.path, 'is missing')];
  return [at(file, issue.path, issue.message)];
}

const at = (file: YamlFile, path: Path, message: string): Problem => ({
  where: file.locate(path),
  path: path.map(String).join('.'),
  message,
});

/** The keys that the schema knows at a path, following the file's own `kind`, `protocol` and `store`. */
function knownKeys(value: unknown, path: Path): string[] {
  let schema: unknown = fileSchema;
  let here: unknown = value;
  for (const step of path) {
    schema = stepInto(unwrapped(schema, here), step);
    here = valueAt(here, [step]);
  }
  const found = unwrapped(schema, here);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function stepInto(schema: unknown, step: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(step)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

function unwrapped(schema: unknown, value: unknown): unknown {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodPrefault
  ) {
    return unwrapped(schema.unwrap(), value);
  }
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  const key = schema.def.discriminator;
  const told = valueAt(value, [key]);
  return schema.options.find((option) => {
    const literal = option instanceof z.ZodObject ? option.shape[key] : undefined;
    return literal instanceof z.ZodType && literal.safeParse(told).success;
  });
}

function valueAt(value: unknown, path: Path): unknown {
  let here: unknown = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Object.getOwnPropertyDescriptor(here, step)?.value;
  }
  return here;
}

type Finding = { readonly path: Path; readonly message: string };

/** What no single value shows: names that refer to nothing, and prices that are not there. */
function* crossChecks(settings: FileSettings): Generator<Finding> {
  for (const [name, upstream] of Object.entries(settings.upstreams)) {
    if (upstream.protocol === 'builtin' || upstream.allow_private) continue;
    if (isPrivateHost(new URL(upstream.base_url).hostname)) {
      yield {
        path: ['upstreams', name, 'base_url'],
        message: 'is a private address; add allow_private: true if that is meant',
      };
    }
  }
  for (const [id, model] of Object.entries(settings.models)) {
    const path = ['models', id];
    if (model.channels[model.default_channel] === undefined) {
      yield {
        path: [...path, 'default_channel'],
        message: `is ${model.default_channel}, which is not among the model's channels`,
      };
    }
    if (model.settlement === 'CNY' && settings.fx['USD/CNY'] === undefined) {
      yield { path: [...path, 'settlement'], message: 'is CNY, but fx has no rate for USD/CNY' };
    }
    yield* channelChecks(settings, path, model);
  }
}

function* channelChecks(
  settings: FileSettings,
  path: Path,
  model: FileSettings['models'][string],
): Generator<Finding> {
  const names = Object.keys(settings.upstreams);
  for (const [name, channel] of Object.entries(model.channels)) {
    if (channel === undefined) continue;
    for (const [index, { upstream }] of channel.routes.entries()) {
      if (names.includes(upstream)) continue;
      const near = nearest(upstream, names);
      yield {
        path: [...path, 'channels', name, 'routes', index, 'upstream'],
        message: `there is no upstream "${upstream}"; ${near === null ? `known: ${names.join(', ')}` : `did you mean "${near}"?`}`,
      };
    }
    if (model.kind !== 'image' || !('per_image' in channel.price)) continue;
    for (const size of model.sizes) {
      if (channel.price.per_image[size] === undefined) {
        yield {
          path: [...path, 'channels', name, 'price', 'per_image'],
          message: `has no price for ${size}, which the model offers`,
        };
      }
    }
  }
}

/** Loopback, private, link-local, shared and unspecified addresses, and names that mean them. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.endsWith('.internal') ||
    host.endsWith('.local')
  )
    return true;
  if (isIP(host) === 4) return isPrivateIpv4(host);
  if (isIP(host) !== 6) return !host.includes('.');
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (mapped !== null) {
    const [high, low] = [mapped[1], mapped[2]].map((part) => Number.parseInt(part ?? '0', 16));
    return isPrivateIpv4(
      [(high ?? 0) >> 8, (high ?? 0) & 255, (low ?? 0) >> 8, (low ?? 0) & 255].join('.'),
    );
  }
  return host === '::' || host === '::1' || /^(?:f[cd]|fe[89ab]|64:ff9b:)/.test(host);
}

function isPrivateIpv4(host: string): boolean {
  const [a = 0, b = 0] = host.split('.').map(Number);
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168)
  );
}
