/**
 * Tests five typical tasks of a person. Each task needs at most the clicks, typed fields and
 * scrolls that the table in `docs/screens` states, on a laptop and on a phone. Each can be done
 * with only the keyboard.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Installation, OPENING_MS, openInstallation } from './support/installation.ts';
import { EFFORTS, SCREENS } from './support/task-efforts.ts';
import { effortOf, TASKS } from './support/tasks.ts';
import { during } from './support/visit.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ past: { requests: 600, days: 6, seed: 11 } });
}, OPENING_MS);
afterAll(() => installation[Symbol.asyncDispose]());

for (const task of TASKS) {
  for (const screen of ['phone', 'laptop'] as const) {
    test(`${task.title}: on a ${screen}, no more effort than in the table`, async () => {
      await during(installation.visit({ viewport: SCREENS[screen] }), async (page, visit) => {
        visit.expectRefusal(/^404 GET \/console\/api\/requests\//);
        const effort = await effortOf(task, installation, page);
        const most = EFFORTS[task.name][screen].after;
        expect(effort.clicks).toBeLessThanOrEqual(most.clicks);
        expect(effort.fields).toBeLessThanOrEqual(most.fields);
        expect(effort.scrolls).toBeLessThanOrEqual(most.scrolls);
      });
    });
  }

  test(`${task.title}: by keyboard, with a visible focus`, async () => {
    await during(installation.visit(), async (page, visit) => {
      visit.expectRefusal(/^404 GET \/console\/api\/requests\//);
      await effortOf(task, installation, page, 'keyboard');
    });
  });
}
