/**
 * Tests the text of the Helm chart and of the plain manifests. `npm run test:operate` renders the
 * chart.
 */
import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import packageJson from '../package.json' with { type: 'json' };
import { loadConfig } from '../src/config/config.ts';
import { makeEnv } from './support/compose.ts';

const ROOT = join(import.meta.dir, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const chart = (name: string): string => read(`deploy/helm/modelgate/${name}`);
const values = Bun.YAML.parse(chart('values.yaml')) as Record<string, unknown>;
const schema = JSON.parse(chart('values.schema.json'));

/** The fields of a manifest that the tests read. */
type Manifest = {
  readonly kind: string;
  readonly spec: Record<string, unknown>;
  readonly data: Readonly<Record<string, string>>;
};
const manifests = read('deploy/kubernetes/modelgate.yaml')
  .split(/^---$/m)
  .filter((text) => text.trim() !== '')
  .map((text) => Bun.YAML.parse(text) as Manifest);
const only = (kind: string): Manifest => {
  const [found, ...more] = manifests.filter((each) => each.kind === kind);
  if (found === undefined || more.length > 0) throw new Error(`not one ${kind}`);
  return found;
};

/**
 * Loads the configuration file in the ConfigMap, with the environment variables that the Secret
 * sets.
 */
function configOfPods() {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-kubernetes-'));
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, only('ConfigMap').data['modelgate.yaml'] ?? '');
  const s3 = { S3_ENDPOINT: 'https://s3.example', S3_KEY_ID: 'id' };
  try {
    return loadConfig({ path, env: { ...makeEnv('models.example'), ...s3 } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the default values fit the schema, which refuses others', () => {
  const validator = new Validator(schema, '7');
  expect(validator.validate(values).valid).toBe(true);
  expect(validator.validate({ ...values, replica: 3 }).valid).toBe(false);
  expect(validator.validate({ ...values, replicas: 0 }).valid).toBe(false);
  const annotated = { ...values, podAnnotations: { 'prometheus.io/port': 9464 } };
  expect(validator.validate(annotated).valid).toBe(false);
  const { global: _, ...described } = schema.properties;
  expect(Object.keys(described)).toEqual(Object.keys(values));
});

test('the chart has the version of the gateway', () => {
  const { version, appVersion } = Bun.YAML.parse(chart('Chart.yaml')) as Record<string, string>;
  expect([version, appVersion]).toEqual([packageJson.version, packageJson.version]);
});

test('the pods accept their configuration, and drain longer than the longest request', () => {
  const { limits, metrics, listen, config } = configOfPods();
  expect(config).toBe('database');
  expect(listen).toEqual({ host: '0.0.0.0', port: 8787 });
  expect(metrics.listen).toEqual({ host: '0.0.0.0', port: 9464 });
  expect(limits.drain).toBeGreaterThan(limits.total_timeout);
  const { template } = only('Deployment').spec as { template: { spec: Record<string, unknown> } };
  const grace = Number(template.spec['terminationGracePeriodSeconds']);
  // `preStop` uses 10 s of the pod's termination grace period.
  expect(grace * 1000).toBeGreaterThanOrEqual(limits.drain + 10_000);
});

test('an update takes no pod away before another one is ready', () => {
  expect(only('Deployment').spec).toMatchObject({
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    template: {
      spec: {
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 },
        containers: [
          {
            envFrom: [{ secretRef: { name: 'modelgate' } }],
            startupProbe: { httpGet: { path: '/healthz' } },
            livenessProbe: { httpGet: { path: '/healthz' } },
            readinessProbe: { httpGet: { path: '/readyz' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      },
    },
  });
  expect(read('Containerfile')).toContain('USER 10001:10001');
});

test('the metrics are apart from the port of callers', () => {
  const services = manifests.filter(({ kind }) => kind === 'Service');
  const ports = services.map(({ spec }) =>
    (spec['ports'] as readonly { readonly name: string }[]).map(({ name }) => name),
  );
  expect(ports.toSorted()).toEqual([['http'], ['metrics']]);
});

test('the metric of the autoscaler exists', () => {
  const { metric } = values['autoscaling'] as { metric: string };
  const telemetry = [...new Bun.Glob('src/telemetry/**/*.ts').scanSync(ROOT)].map(read).join('');
  expect(telemetry).toContain(`'${metric}'`);
});
