/** Tests the Helm chart, rendered by Helm 3. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const DEPLOY = join(import.meta.dir, '../../deploy');

function render(...settings: readonly string[]) {
  const args = settings.flatMap((each) => ['--set', each]);
  const { stdout, stderr, exitCode } = Bun.spawnSync([join(DEPLOY, 'render'), ...args]);
  return { exitCode, manifests: stdout.toString(), problem: stderr.toString() };
}
const kindsOf = (text: string): readonly (string | undefined)[] =>
  [...text.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).toSorted();

test('the plain manifests are what the chart renders', () => {
  const { manifests, problem } = render();
  expect(problem).toBe('');
  expect(manifests).toBe(readFileSync(join(DEPLOY, 'kubernetes/modelgate.yaml'), 'utf8'));
});

test('refuses values that are missing, unknown or out of range, by a sentence', () => {
  expect(render('existingSecret=').problem).toContain('existingSecret is missing');
  expect(render('publicUrl=').problem).toContain('publicUrl is missing');
  // Releases of Helm 3 word these two differently.
  expect(render('replica=3').problem).toMatch(/replica'? (?:is )?not allowed/);
  expect(render('replicas=0').problem).toMatch(/replicas.*(?:got 0, want 1|equal to 1)/);
  expect(render('podAnnotations.port=9464').problem).toMatch(/port.*string/);
});

test('adds an ingress, an autoscaler and a monitor where they are asked for', () => {
  const plain = render();
  const more = render(
    ...['ingress.enabled=true', 'ingress.host=models.example', 'autoscaling.enabled=true'],
    'serviceMonitor.enabled=true',
  );
  const added = ['HorizontalPodAutoscaler', 'Ingress', 'ServiceMonitor'];
  expect(kindsOf(more.manifests)).toEqual([...kindsOf(plain.manifests), ...added].toSorted());
  expect(plain.manifests).toContain('replicas: 2');
  expect(more.manifests).not.toContain('replicas: 2');
});

test('keeps the data folders of a StatefulSet, which the autoscaler then scales', () => {
  const { manifests, problem } = render('data.persistent=true', 'autoscaling.enabled=true');
  expect(problem).toBe('');
  expect(kindsOf(manifests)).toContain('StatefulSet');
  expect(kindsOf(manifests)).not.toContain('Deployment');
  expect(manifests).toContain('scaleTargetRef: { apiVersion: apps/v1, kind: StatefulSet');
  expect(manifests).toContain('volumeClaimTemplates:');
  expect(manifests).not.toContain('name: data, emptyDir');
});

test('changes the database in a job before an upgrade, with the image of the pods', () => {
  const rendered = (value: string): string =>
    Bun.spawnSync(
      ['helm', 'template', 'gate', 'helm/modelgate', '--kube-version', '1.30', '--set', value],
      { cwd: DEPLOY },
    ).stdout.toString();
  const needed = 'existingSecret=modelgate,publicUrl=https://models.example';
  const [job, ...others] = rendered(needed)
    .split(/^---$/m)
    .map((text) => Bun.YAML.parse(text) as { kind?: string; metadata: object; spec: object } | null)
    .filter((each) => each?.kind === 'Job');
  expect(others).toEqual([]);
  expect(job?.metadata).toMatchObject({ annotations: { 'helm.sh/hook': 'pre-upgrade' } });
  expect(job?.spec).toMatchObject({
    template: {
      spec: { containers: [{ args: ['migrate'], image: `modelgate:${packageJson.version}` }] },
    },
  });
  expect(rendered(`${needed},migrationJob.enabled=false`)).not.toContain('kind: Job');
});
