/** For tests: reads a gateway's metrics with a strict parser of the Prometheus text format. */
import type { GatewayProcess } from './gateways/gateway-process.ts';

export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};
export type Family = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
};

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) (.+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`);
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|NaN)$`,
);

/** Requests `/metrics` with the admin token. @throws Error when the gateway refuses the request. */
export async function metricsText({
  url,
  adminToken,
}: Pick<GatewayProcess, 'url' | 'adminToken'>): Promise<string> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const response = await fetch(`${url}/metrics`, { headers });
  if (!response.ok) throw new Error(`no metrics: ${response.status} ${await response.text()}`);
  return await response.text();
}

/** Parses the metrics and checks each of them. @throws Error with the invalid line. */
export function readMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end with a newline');
  const families = new Map<string, Family & { samples: Sample[] }>();
  const seen = new Set<string>();
  let help: readonly string[] | null = null;
  let current: (Family & { samples: Sample[] }) | null = null;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const helped = HELP.exec(line);
    const typed = TYPE.exec(line);
    if (helped !== null) {
      help = helped.slice(1);
    } else if (typed !== null) {
      const [, name = '', type = ''] = typed;
      if (help?.[0] !== name) throw new Error(`not directly after its HELP line: ${line}`);
      if (families.has(name)) throw new Error(`duplicate metric: ${line}`);
      current = { name, type, help: help[1] ?? '', samples: [] };
      families.set(name, current);
    } else {
      const sample = readSample(line);
      if (current === null || !belongs(sample, current))
        throw new Error(`a sample of another metric: ${line}`);
      const series = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).toSorted())}`;
      if (seen.has(series)) throw new Error(`duplicate sample: ${line}`);
      seen.add(series);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function readSample(line: string): Sample {
  const match = SAMPLE.exec(line);
  if (match === null) throw new Error(`not a sample: ${line}`);
  const labels = [...(match[2] ?? '').matchAll(new RegExp(LABEL, 'g'))].map(([label]) => {
    const at = label.indexOf('=');
    return [label.slice(0, at), JSON.parse(label.slice(at + 1))] as const;
  });
  const value = Number(match[3]?.replace('Inf', 'Infinity'));
  return { name: match[1] ?? '', labels: Object.fromEntries(labels), value };
}

function belongs({ name }: Sample, { name: family, type }: Family): boolean {
  if (type !== 'histogram') return name === family;
  return ['_bucket', '_sum', '_count'].some((part) => name === `${family}${part}`);
}

/** Checks the naming conventions of a metric and the rules of its type. */
function checkFamily({ name, type, samples }: Family): void {
  if ((type === 'counter') !== name.endsWith('_total'))
    throw new Error(`only counters must end with _total: ${name}`);
  for (const { value } of samples) {
    if (type !== 'gauge' && !(value >= 0))
      throw new Error(`${name} has the invalid value ${value}`);
  }
  if (type !== 'histogram') return;
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  for (const { labels, value } of counts) {
    const own = samples.filter(
      (sample) =>
        sample.name === `${name}_bucket` &&
        Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
    );
    if (own.some((bucket, i) => i > 0 && bucket.value < (own[i - 1]?.value ?? 0)))
      throw new Error(`${name}: a bucket counts less than the one before`);
    const last = own.at(-1);
    if (last?.labels['le'] !== '+Inf' || last.value !== value)
      throw new Error(`${name}: the +Inf bucket differs from the count`);
  }
}

/** Returns the sum of a metric's samples with these labels. */
export function sumOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = families.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? families.get(name);
  if (family === undefined) throw new Error(`no metric ${name}`);
  return family.samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0);
}
