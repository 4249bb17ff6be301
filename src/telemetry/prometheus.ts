/** Counts values by labels, and writes them in the text format of Prometheus (version 0.0.4). */
import type { Steps } from '../config/document/steps.ts';

type Type = 'counter' | 'gauge' | 'histogram';

/** A metric with all of its time series. */
export interface Metric {
  /** Yields the HELP line, the TYPE line and the samples, one per line. */
  lines(): Iterable<string>;
}

export type Counter = { value: number };

type Labels = readonly string[];

/**
 * A node of a tree in which each level stands for one label. The values on the path from the root
 * to a node are the labels of its `series`, which is null before the first value is counted.
 */
type Node<Series> = { series: Series | null; readonly next: Map<string, Node<Series>> };

const newNode = <Series>(): Node<Series> => ({ series: null, next: new Map() });

function nextOf<Series>({ next }: Node<Series>, label: string): Node<Series> {
  let node = next.get(label);
  if (node === undefined) {
    node = newNode<Series>();
    next.set(label, node);
  }
  return node;
}

/**
 * Finds series by their labels. The maps are nested, so that a lookup does not concatenate labels.
 */
class SeriesByLabels<Series> {
  readonly all: { readonly labels: Labels; readonly series: Series }[] = [];
  readonly #root = newNode<Series>();
  readonly #create: () => Series;

  constructor(create: () => Series) {
    this.#create = create;
  }

  /**
   * Returns the series with these labels, at most four. They are separate parameters, because an
   * array would have to be allocated for each counted value.
   */
  at(one?: string, two?: string, three?: string, four?: string): Series {
    let node = this.#root;
    if (one !== undefined) node = nextOf(node, one);
    if (two !== undefined) node = nextOf(node, two);
    if (three !== undefined) node = nextOf(node, three);
    if (four !== undefined) node = nextOf(node, four);
    return node.series ?? this.#added(node, [one, two, three, four]);
  }

  #added(node: Node<Series>, labels: readonly (string | undefined)[]): Series {
    const series = this.#create();
    node.series = series;
    this.all.push({ labels: labels.filter((label) => label !== undefined), series });
    return series;
  }
}

/** Counters with the same name, one for each combination of labels. */
export class Counters implements Metric {
  readonly #name: string;
  readonly #help: string;
  readonly #labelNames: Labels;
  readonly #series = new SeriesByLabels<Counter>(() => ({ value: 0 }));

  constructor(name: string, help: string, labelNames: Labels) {
    this.#name = name;
    this.#help = help;
    this.#labelNames = labelNames;
    // A counter without labels is exposed from the start, with the value 0.
    if (labelNames.length === 0) this.#series.at();
  }

  add(amount: number, one?: string, two?: string, three?: string, four?: string): void {
    this.#series.at(one, two, three, four).value += amount;
  }

  *lines(): Generator<string> {
    yield* heading('counter', this.#name, this.#help);
    for (const { labels, series } of this.#series.all)
      yield sampleLine(this.#name, labelText(this.#labelNames, labels), series.value);
  }
}

type Distribution = { readonly counts: Float64Array; sum: number };

/** Histograms with the same name, one for each combination of labels. */
export class Histograms implements Metric {
  readonly #name: string;
  readonly #help: string;
  readonly #labelNames: Labels;
  readonly #bounds: readonly number[];
  readonly #series: SeriesByLabels<Distribution>;

  /** @param bounds the upper bounds of the buckets, in ascending order. */
  constructor(name: string, help: string, labelNames: Labels, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#labelNames = labelNames;
    this.#bounds = bounds;
    this.#series = new SeriesByLabels(() => ({
      counts: new Float64Array(bounds.length + 1),
      sum: 0,
    }));
  }

  observe(value: number, one?: string, two?: string, three?: string, four?: string): void {
    const distribution = this.#series.at(one, two, three, four);
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  *lines(): Generator<string> {
    yield* heading('histogram', this.#name, this.#help);
    for (const { labels, series } of this.#series.all)
      yield* this.#samples(labelText(this.#labelNames, labels), series);
  }

  #samples(labels: string, { counts, sum }: Distribution): readonly string[] {
    let total = 0;
    const buckets = Array.from(counts, (count, at) => {
      total += count;
      const bound = `le="${this.#bounds[at] ?? '+Inf'}"`;
      return sampleLine(`${this.#name}_bucket`, `${bound}${labels && ','}${labels}`, total);
    });
    return [
      ...buckets,
      sampleLine(`${this.#name}_sum`, labels, sum),
      sampleLine(`${this.#name}_count`, labels, total),
    ];
  }
}

/** Returns a metric that reads its samples from a function at each scrape. */
export const readMetric = (
  type: Exclude<Type, 'histogram'>,
  name: string,
  help: string,
  labelNames: Labels,
  read: () => Iterable<readonly [Labels, number]>,
): Metric => ({
  *lines() {
    yield* heading(type, name, help);
    for (const [labels, value] of read())
      yield sampleLine(name, labelText(labelNames, labels), value);
  },
});

/**
 * The number of lines that one step writes, before other requests may run. With thousands of
 * routes, a scrape has very many lines.
 */
const LINES_A_STEP = 200;

/** Writes the body of a scrape in small steps, so that other requests run between the steps. */
export function* metricsSteps(metrics: readonly Metric[]): Steps<string> {
  const parts: string[] = [];
  for (const metric of metrics) {
    if (parts.length > 0) parts.push('\n');
    let lines = 0;
    let part = '';
    for (const line of metric.lines()) {
      part += `${line}\n`;
      if (++lines % LINES_A_STEP !== 0) continue;
      parts.push(part);
      part = '';
      yield;
    }
    parts.push(part);
  }
  return parts.join('');
}

const heading = (type: Type, name: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const sampleLine = (name: string, labels: string, value: number): string =>
  `${name}${labels && `{${labels}}`} ${Number.isFinite(value) ? value : 'NaN'}`;

const labelText = (names: Labels, values: Labels): string =>
  names.map((name, at) => `${name}="${escaped(values[at] ?? '')}"`).join(',');

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
