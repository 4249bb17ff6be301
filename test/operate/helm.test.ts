/** The Helm chart, rendered by helm 3. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
  expect(render('replica=3').problem).toContain('replica is not allowed');
  expect(render('replicas=0').problem).toContain('greater than or equal to 1');
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
