/** For tests: reads `compose.yaml` in the same way as Docker Compose, but without needing it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

export type Service = {
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
};
export type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};

const VARIABLE = /\$\$|\$\{(\w+)(?::([?-])([^}]*))?\}/g;

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$` as Docker Compose does.
 * @throws Error with the `message` when the variable is missing.
 */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(VARIABLE, (whole, name, kind, more) => {
    if (whole === '$$') return '$';
    const value = env[name] ?? '';
    if (value !== '') return value;
    if (kind === '-') return more;
    throw new Error(`${name} ${more}`);
  });
}

function resolve(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((each) => resolve(each, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, env)]));
}

/**
 * Reads `compose.yaml` with these environment variables.
 * @throws Error, as Docker Compose does, when a variable without a default is missing.
 */
export function readCompose(env: Readonly<Record<string, string>>): Compose {
  // Reads the file with Bun, because js-yaml does not merge maps (`<<`) as Docker Compose does.
  const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  const { services, volumes } = Bun.YAML.parse(text) as Compose;
  return { services: resolve(services, env) as Compose['services'], volumes };
}

/** Runs `deploy/compose/make-env` and returns the variables that it prints. */
export function makeEnv(domain: string): Record<string, string> {
  const { stdout } = Bun.spawnSync([join(ROOT, 'deploy/compose/make-env'), domain]);
  const lines = stdout.toString().trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2)));
}
