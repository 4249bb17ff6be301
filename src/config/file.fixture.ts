/** A small valid configuration for tests, and functions that change it. */
import { type CheckedFile, checkFile } from './check-file.ts';
import { type Environment, referenceSteps } from './document/references.ts';
import { type FindSecret, unknownSecret } from './document/secret-name.ts';
import { SecretReferences } from './document/secret-references.ts';
import { finish } from './document/steps.ts';
import { withEnvironment } from './environment.ts';
import { chatPriceOf, type TextPriceSettings } from './price-schema.ts';
import { ConfigError } from './problem.ts';
import { parseYaml, type YamlFile } from './yaml-file.ts';

/**
 * A valid file. Tests depend on its line numbers: a model begins on line 4, its channel on line 11.
 */
export const SMALL_FILE = `fx: { USD/CNY: "7.1000" }
upstreams: { builtin: { protocol: builtin } }
models:
  gen-x:
    kind: chat
    maker: gen
    context_window: 1000
    max_output: 100
    default_channel: direct
    channels:
      direct:
        price: { input: "5.00", output: "25.00" }
        routes: [{ upstream: builtin, model: x }]
  img-x:
    kind: image
    maker: img
    sizes: [512x512, 1024x1024]
    qualities: [standard, hd]
    default_channel: direct
    channels:
      direct:
        price: { per_image: { 512x512: "0.01", 512x512/hd: "0.02", 1024x1024: "0.03", 1024x1024/hd: "0.04" } }
        routes: [{ upstream: builtin, model: x }]
`;

/** The current time when tests load configurations. */
export const NOW_MS = Date.parse('2026-11-22T12:00:00Z');

/** Returns a file, by default the small one, with one piece replaced. */
export function changedFile(piece: string, by: string, file = SMALL_FILE): string {
  if (!file.includes(piece)) throw new Error(`the file has no ${JSON.stringify(piece)}`);
  return file.replace(piece, () => by);
}

export function readYaml(
  text: string,
  name: string,
  env: Environment,
  find: FindSecret = unknownSecret,
): YamlFile & Pick<SecretReferences, 'uses'> {
  const written = parseYaml(text, name);
  const references = new SecretReferences(written, find);
  return { ...finish(referenceSteps(written, env, references)), uses: references.uses };
}

export function settingsOf(
  text: string,
  env: Environment = {},
  find: FindSecret = unknownSecret,
): CheckedFile {
  return checkFile(withEnvironment(readYaml(text, 'modelgate.yaml', env, find), env), NOW_MS);
}

/** Returns the error messages for a file, one per problem; empty when the file is valid. */
export function problemsIn(text: string, env: Environment = {}): readonly string[] {
  try {
    settingsOf(text, env);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return thrown.message.split('\n');
  }
}

/** Validates a price per token, and returns it with the defaults of the schema. */
export function tokenPrice(listed: object): TextPriceSettings {
  const price = chatPriceOf(listed);
  if (price === null) throw new Error(`${JSON.stringify(listed)} is not a price`);
  return price;
}

/** Returns prices per image with the defaults of the schema. */
export function perImage(prices: Readonly<Record<string, string>>) {
  const [tier, speed, geo, size, quality] = [{}, {}, {}, {}, {}];
  return {
    per_image: prices,
    currency: 'USD',
    names: { tier, speed, geo, size, quality },
    clock: { zone: 'UTC', at: 'highest' },
    ...{ rows: [], times: [], fees: {} },
  } as const;
}
