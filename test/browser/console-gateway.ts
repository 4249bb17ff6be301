/** For tests: a gateway whose console is what the sources say. */
import { buildConsole } from '../../console/build.ts';
import { type GatewayOptions, type GatewayProcess, startGateway } from '../gateway-process.ts';

/** @throws when the console cannot be built, or the gateway does not start. */
export async function startConsoleGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const built = await buildConsole();
  if (built === 'no build tools') throw new Error('the tests need the development dependencies');
  return await startGateway(options);
}
