import { expect, test } from 'bun:test';
import { finish } from '../config/document/steps.ts';
import { Counters, Histograms, type Metric, metricsSteps, readMetric } from './prometheus.ts';

const textOf = (metric: Metric): string => [...metric.lines()].join('\n');

test('a counter has one sample for each combination of labels, in the order of their first use', () => {
  const counters = new Counters('sold_total', 'Things sold.', ['model', 'channel']);
  counters.add(2, 'b', 'direct');
  counters.add(1, 'a', 'stable');
  counters.add(0.5, 'b', 'direct');
  counters.add(1, 'b', 'stable');
  expect(textOf(counters).split('\n')).toEqual([
    '# HELP sold_total Things sold.',
    '# TYPE sold_total counter',
    'sold_total{model="b",channel="direct"} 2.5',
    'sold_total{model="a",channel="stable"} 1',
    'sold_total{model="b",channel="stable"} 1',
  ]);
});

test('only a counter without labels is shown before it counts', () => {
  expect(textOf(new Counters('a_total', 'A.', []))).toEndWith('\na_total 0');
  expect(textOf(new Counters('b_total', 'B.', ['model']))).toEndWith('counter');
});

test('a histogram counts a value in every bucket from its bound on', () => {
  const histograms = new Histograms('took_seconds', 'Time.', ['model'], [0.1, 1]);
  for (const value of [0.1, 0.2, 1, 5]) histograms.observe(value, 'm');
  expect(textOf(histograms).split('\n').slice(2)).toEqual([
    'took_seconds_bucket{le="0.1",model="m"} 1',
    'took_seconds_bucket{le="1",model="m"} 3',
    'took_seconds_bucket{le="+Inf",model="m"} 4',
    'took_seconds_sum{model="m"} 6.3',
    'took_seconds_count{model="m"} 4',
  ]);
  const bare = new Histograms('took_seconds', 'Time.', [], [1]);
  bare.observe(2);
  expect(textOf(bare)).toContain('took_seconds_bucket{le="1"} 0\n');
});

test('label values are escaped, and metrics are separated by an empty line', () => {
  const read = () => [[['a"b\\c\nd'], 1]] as const;
  const metric = readMetric('gauge', 'now', 'Now.', ['x'], read);
  expect(finish(metricsSteps([metric, metric]))).toBe(
    `${'# HELP now Now.\n# TYPE now gauge\nnow{x="a\\"b\\\\c\\nd"} 1\n\n'.repeat(2).slice(0, -1)}`,
  );
});

test('thousands of samples are written in many steps', () => {
  const read = () => Array.from({ length: 5_000 }, (_, at) => [[`r${at}`], at] as const);
  const metric = readMetric('gauge', 'now', 'Now.', ['route'], read);
  expect([...metricsSteps([metric])]).toHaveLength(25);
});
