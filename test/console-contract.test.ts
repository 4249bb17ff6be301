/** The console's client is typed by what the gateway says of itself now. */
import { expect, test } from 'bun:test';
import { apiDocument } from '../console/api-document.ts';
import { clientTypes, writtenTypes } from '../console/generate-api.ts';

test('the types of the console are those of the routes; `npm run console:api` makes them so', async () => {
  expect((await writtenTypes()) === (await clientTypes(await apiDocument()))).toBe(true);
});
