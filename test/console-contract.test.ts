/**
 * Tests that the generated API types of the console match the gateway's current OpenAPI document.
 */
import { expect, test } from 'bun:test';
import { apiDocument } from '../console/api-document.ts';
import { clientTypes, writtenTypes } from '../console/generate-api.ts';

test('the generated console types match the routes; `npm run console:api` regenerates them', async () => {
  expect((await writtenTypes()) === (await clientTypes(await apiDocument()))).toBe(true);
});
