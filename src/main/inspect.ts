/** `check`: inspects the configuration without starting the gateway. */
import { type BelowCost, belowCost } from '../catalogue/below-cost.ts';
import { wholeCatalogue } from '../catalogue/catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { type ReviewDue, reviewsDue } from '../catalogue/review.ts';
import type { Clock } from '../clock.ts';
import { type Config, fileDocument, loadConfig, loadStart } from '../config/config.ts';
import { finish } from '../config/document/steps.ts';
import { ConfigError } from '../config/problem.ts';
import { formatPico } from '../money/price.ts';
import { outputWarnings, priceWarnings, warningSteps } from '../revisions/change-warnings.ts';
import { unreachableUpstreams } from '../routing/connected-upstreams.ts';
import { keysIn } from '../secrets/secret-keys.ts';

type Inspect = { readonly configPath: string | null; readonly json: boolean };
type Print = (text: string) => void;

/**
 * Runs the command: prints the models and warnings. Returns the exit code.
 * @throws ConfigError with all problems.
 */
export async function check(
  { configPath, json }: Inspect,
  clock: Clock,
  print: Print,
): Promise<number> {
  const start = loadStart({ path: configPath });
  // A node whose settings are in the database needs only the start settings in its file.
  const document = fileDocument({ path: configPath });
  const isStartOnly = start.config === 'database' && Object.keys(document).length === 0;
  const config = isStartOnly ? start : loadConfig({ path: configPath });
  const nowMs = clock.nowMs();
  const catalogue = loadCatalogue(config, nowMs);
  const { models, all, version } = catalogue;
  requireKeys(config);
  const unreachable = await requireAddresses(config, clock);
  const cheap = [...models.values()].flatMap((model) => belowCost(model, nowMs));
  const due = reviewsDue(wholeCatalogue(catalogue), nowMs);
  const free = finish(warningSteps(priceWarnings({}, document)))
    .filter(({ code }) => code === 'price_zero')
    .map(({ path }) => path);
  const long = finish(warningSteps(outputWarnings({}, document)));
  const found = {
    file: config.file,
    models: [...all.keys()],
    version,
    below_cost: cheap.map(({ model, channel, item, why }) => ({ model, channel, item, why })),
    review_due: due,
    free,
    output_over_context: long.map(({ path }) => path),
    unreachable,
  };
  if (json) {
    print(`${JSON.stringify(found, null, 2)}\n`);
    return 0;
  }
  if (isStartOnly) {
    print(`${config.file} is valid. ${ONLY_START}`);
    return 0;
  }
  print(`${config.file} is valid: ${countLine(found.models)}.\n`);
  const secrets = [...new Set(config.secretUses.map(({ name }) => name))].toSorted();
  if (secrets.length > 0)
    print(
      `It refers to the secrets ${secrets.join(', ')}; \`modelgate secrets list\` shows whether they are set.\n`,
    );
  if (config.config === 'database') print(CHECKED_FILE);
  for (const { message } of unreachable) print(`Warning: ${message}.\n`);
  for (const one of cheap) print(belowCostLine(one));
  for (const one of due) print(reviewLine(one));
  for (const path of free) print(`Warning: ${path} is 0, so it is free.\n`);
  for (const { path, message } of long) print(`Warning: ${path} ${message}.\n`);
  return 0;
}

const countLine = (models: readonly string[]): string =>
  models.length === 0
    ? 'it has no models'
    : `${models.length} ${models.length === 1 ? 'model' : 'models'} (${models.join(', ')})`;

function belowCostLine({ model, channel, item, why, pricePico, costPico }: BelowCost): string {
  const when = why === '' ? '' : ` (${why})`;
  return `Warning: ${model} on ${channel} sells ${item}${when} for ${formatPico(pricePico)}, below its cost of ${formatPico(costPico)}.\n`;
}

function reviewLine({ model, channel, review, source }: ReviewDue): string {
  const from = source === null ? '' : ` against ${source}`;
  return `Warning: the price of ${model} on ${channel} was to be reviewed by ${review}. Check the price${from} and set a new date.\n`;
}

/**
 * Checks the encryption keys that are in the file or come from a variable. A gateway starts without
 * them, but makes no backup or cannot read its secrets.
 * @throws ConfigError naming the settings.
 */
function requireKeys(config: Config): void {
  const problems = (['secrets', 'backups'] as const).flatMap((section) => {
    const path = `${section}.key`;
    const { key } = config[section];
    const keys = key === null ? null : keysIn(key.reveal(), path);
    if (keys === null || !('problem' in keys)) return [];
    const where = config.sources.get(path)?.source ?? config.file;
    return [{ where, path, message: keys.problem }];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

/**
 * Checks that no upstream has a private address that its settings forbid. Returns the upstreams
 * whose host names this machine cannot resolve, which may be right on the machine of the gateway.
 * @throws ConfigError naming the upstreams.
 */
async function requireAddresses(config: Config, clock: Clock) {
  const found = await unreachableUpstreams(config, clock);
  const forbidden = found.filter((it) => it.isForbidden);
  if (forbidden.length === 0)
    return found.map(({ name, message }) => ({ upstream: name, message }));
  throw new ConfigError(
    forbidden.map(({ name, message }) => {
      const path = `upstreams.${name}.base_url`;
      return { where: config.sources.get(path)?.source ?? config.file, path, message };
    }),
  );
}

const ONLY_START = 'It has only start settings; the other settings are in the database.\n';
const CHECKED_FILE =
  'With `config: database`, the newest revision in the database is in force, not this file; `modelgate config import` stores this file in the database.\n';
