/** The console's client is typed by what the gateway says of itself now. */
import { expect, test } from 'bun:test';
import { clientTypes, writtenTypes } from '../console/generate-api.ts';
import { startGateway } from './gateway-process.ts';

test('the types of the console are those of the routes; `npm run console:api` makes them so', async () => {
  await using gateway = await startGateway();
  const contract = await (await fetch(`${gateway.url}/openapi.json`)).json();
  expect((await writtenTypes()) === (await clientTypes(contract))).toBe(true);
});
